# Blocks that define a method: of several, the last one counts.
Puppet::Type.newtype(:lantern) do
  newparam(:name, namevar: true)

  newproperty(:colour) do
    validate { |value| raise ArgumentError, 'not a colour' unless value =~ /\A[a-z]+\z/ }
    munge { |value| value.downcase }
    munge { |value| value.capitalize }
    defaultto 'red'
    defaultto 'green'
  end

  newparam(:wick) do
    newvalues(:cotton)
    newvalues(:glass)
  end

  validate do
    raise ArgumentError, 'a lantern needs a wick' unless self[:wick]
  end

  validate do
    raise ArgumentError, 'a lantern needs a colour' unless self[:colour]
  end
end
