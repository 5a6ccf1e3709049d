# Forms that are easily mistaken for others: an IPAddr is not a text, methods have other names, values match as a whole.
class Puppet::Property::Tags < Puppet::Property
  def match_all?
    true
  end

  def sorted(value)
    Array(value).sort.join(' ')
  end
  alias should_to_s sorted
  alias_method :is_to_s, :sorted
end

Puppet::Type.newtype(:route) do
  feature :metrics, 'Routes have metrics.', methods: [:metric, :metric=]

  newparam(:name, namevar: true)

  newproperty(:network) do
    validate { |value| IPAddr.new(value) }
    munge { |value| IPAddr.new(value).to_s }
  end
  newproperty(:gateway) do
    validate do |value|
      address = IPAddr.new(value)
      raise ArgumentError, 'only IPv4' unless address.ipv4?
    end
  end
  newproperty(:source) { munge { |value| IPAddr.new(value) } }
  newproperty(:tags, parent: Puppet::Property::Tags)
  newproperty(:metric, required_features: :metrics)
  # It stays declared, although its feature is unknown.
  newproperty(:weight, required_features: [:'not a name'])
end
