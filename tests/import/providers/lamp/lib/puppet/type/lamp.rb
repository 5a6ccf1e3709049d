Puppet::Type.newtype(:lamp) do
  ensurable
  newparam(:name, namevar: true)
end
