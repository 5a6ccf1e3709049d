Puppet::Type.newtype(:crate_list) do
  ensurable
  newparam(:name, namevar: true) { desc 'Section and setting.' }
  newproperty(:value, array_matching: :all) { desc 'The values.' }
  newparam(:gone) { desc 'The value that means that the setting is to be absent.' }
end
