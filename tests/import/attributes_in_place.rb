# Blocks that change what an attribute holds in place: what other blocks read of it is not known.
Puppet::Type.newtype(:route_table) do
  newparam(:name)
  newparam(:hops)
  newparam(:options)

  newproperty(:gateways) do
    defaultto { [1].push(2) }
  end

  validate do
    self[:hops].push("last")
  end

  autorequire(:file) do
    hops = self[:hops] || []
    hops << "first"
    hops
  end

  autorequire(:package) do
    hops = self[:hops].dup
    hops << "first"
    hops
  end

  autorequire(:service) do
    self[:options].delete_if { |_, value| value.nil? }
  end
end
