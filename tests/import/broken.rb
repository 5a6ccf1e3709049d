Puppet::Type.newtype(:x) do
  newparam(:name
end
