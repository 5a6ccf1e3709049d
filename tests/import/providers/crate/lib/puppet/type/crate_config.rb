Puppet::Type.newtype(:crate_config) do
  ensurable
  newparam(:name, namevar: true) { desc 'Section and setting.' }
  newproperty(:value) { desc 'The value.' }
  newparam(:gone) do
    desc 'The value that means that the setting is to be absent.'
    defaultto '-'
  end
  newparam(:quoted) do
    desc 'Whether to quote the value.'
    newvalues(:true, :false)
  end
end
