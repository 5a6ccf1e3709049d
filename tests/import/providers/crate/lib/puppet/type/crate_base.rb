Puppet::Type.newtype(:crate_base) do
  newparam(:name)
end
