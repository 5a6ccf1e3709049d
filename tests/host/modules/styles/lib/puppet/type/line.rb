# frozen_string_literal: true

Puppet::Type.newtype(:line) do
  @doc = 'Lines of a file, parsed by the library.'

  ensurable
  newparam(:name, namevar: true)
  newproperty(:value)
  newproperty(:target) do
    defaultto { provider.class.default_target }
  end
end
