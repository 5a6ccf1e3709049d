Puppet::Type.newtype(:crate_base) do
end
