# `ensure` with a block of its own.
Puppet::Type.newtype(:siphon) do
  newparam(:name, namevar: true)

  # The check replaces that of the values listed.
  ensurable do
    desc 'Whether it is there.'
    defaultvalues
    defaultto :present
    validate do |value|
      raise ArgumentError, 'siphons stay' if value.to_sym == :absent
    end
  end
end

# The same with the class that `ensurable` uses.
Puppet::Type.newtype(:tap) do
  newproperty(:ensure, parent: Puppet::Property::Ensure) do
    newvalue(:open) { provider.open }
    newvalue(:closed) { provider.close }
    defaultto :closed

    def retrieve
      provider.open? ? :open : :closed
    end
  end

  newparam(:name, namevar: true)
end
