Puppet::Type.newtype(:safe) do
  newparam(:name, namevar: true)
end
