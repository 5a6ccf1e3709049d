Puppet::Type.newtype(:latch) do
  newparam(:name, namevar: true)
end
