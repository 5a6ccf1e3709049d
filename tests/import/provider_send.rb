# Properties of the provider by names that a loop has.
Puppet::Type.newtype(:machine) do
  newparam(:name)
  newproperty(:location)
  newproperty(:size)

  validate do
    required = [:location, :size]
    required.each do |property|
      fail "#{property} is missing" if self[property].nil? && provider.send(property) == :absent
    end
  end
end

Puppet::Type.type(:machine).provide(:cloud) do
  mk_resource_methods
end
