Puppet::Type.newtype(:lock) do
  newparam(:name, namevar: true)
end
