Puppet::Type.newtype(:x) do
  newproperty(:size)
end
