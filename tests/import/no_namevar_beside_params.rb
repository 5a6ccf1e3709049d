# Types of which Puppet refuses all resources.
Puppet::Type.newtype(:pathless) do
  newparam(:path)
  newproperty(:size)
end

# `namevar` of a property has no effect.
Puppet::Type.newtype(:property_only) do
  newproperty(:name, namevar: true)
  newparam(:other)
end

Puppet::Type.newtype(:misspelled) do
  newparam(:name, namevar: true)
  newparam(:port)
  def self.title_patterns
    [[/^(.*):(\d+)$/, [[:name], [:prt]]], [/(.*)/m, [[:name]]]]
  end
end

# Providers of other types descend from providers of a type without attributes.
Puppet::Type.newtype(:parent_of_providers) do
end
