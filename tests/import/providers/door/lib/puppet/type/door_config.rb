Puppet::Type.newtype(:door_config) do
  ensurable
  newparam(:name, namevar: true) { desc 'Section and setting.' }
  newproperty(:value) { desc 'The value.' }
end
