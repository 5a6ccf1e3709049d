# Methods of the provider that translated blocks call. A method that changes the resource makes the changed attributes unknown.
Puppet::Type.newtype(:pump) do
  newparam(:name)
  newparam(:rate) do
    validate { |value| raise ArgumentError, 'too fast' if provider.limit(value) == :over }
  end
  newparam(:fluid)
  newparam(:pipe)
  newparam(:valve)
  newproperty(:pressure)

  validate do
    fail 'no pump' if provider.check(self[:name]) == :none
  end
end

Puppet::Type.type(:pump).provide(:hydraulic) do
  mk_resource_methods

  def limit(value)
    value.to_i > 9 ? :over : :under
  end

  def check(_name)
    set_fluid
    :some
  end

  def set_fluid
    resource[:fluid] = 'water' if resource[:fluid].nil?
  end
end

# Nothing is changed.
Puppet::Type.newtype(:fan) do
  newparam(:name)
  newparam(:blades)
  newproperty(:speed)

  validate do
    fail 'no fan' if provider.check(self[:name]) == :none
    fail 'no speed' if provider.speed == :absent
  end
end

Puppet::Type.type(:fan).provide(:electric) do
  mk_resource_methods

  def check(_name)
    File.exist?('/sys/fan') ? :some : :none
  end
end

# The method of a parent is not known.
Puppet::Type.newtype(:vent) do
  newparam(:name)
  newparam(:width)

  validate do
    fail 'no vent' if provider.measure(self[:name]) == :none
  end
end

Puppet::Type.type(:vent).provide(:shaft, parent: Puppet::Provider::Unknown) do
end
