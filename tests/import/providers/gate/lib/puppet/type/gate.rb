Puppet::Type.newtype(:gate) do
  feature :locking, 'can be locked'
  feature :counting, 'counts who goes through'
  feature :turning, 'turns', methods: [:turn]
  newparam(:name, namevar: true)
  newparam(:mode) do
    validate { |value| raise ArgumentError, 'cannot be locked' unless value == 'open' || provider.locking? }
    defaultto { 'turning' if provider.respond_to?(:turn) }
  end
  newparam(:speed) do
    validate { |_value| raise ArgumentError, 'no' unless provider.class.satisfies?(:turning) || provider.respond_to?(:count) }
  end

  def refresh
    provider.turn if provider.respond_to?(:turn)
  end
end
