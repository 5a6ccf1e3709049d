# A class of properties calls methods that its attributes replace, and these call those of the class with `super`: its code belongs to each
# attribute.
class Puppet::Property::Amount < Puppet::Property
  UNITS = { 'B' => 1, 'K' => 1024 }.freeze

  validate do |value|
    next if words.include?(value)
    raise ArgumentError, "#{value} is not an amount" unless value =~ /\A\d+[BK]?\z/
  end

  munge do |value|
    words.include?(value) ? value.to_sym : number(value)
  end

  def words
    []
  end

  def unit
    'B'
  end

  def number(value)
    UNITS[value[-1]] ? value.to_i * UNITS[value[-1]] : value.to_i * UNITS[unit]
  end

  def insync?(is)
    return is == should if should.is_a?(Symbol)
    number(is) == should
  end

  def change_to_s(is, should)
    "from #{is} to #{should}"
  end
end

Puppet::Type.newtype(:abstract_property) do
  newparam(:name)

  newproperty(:size, parent: Puppet::Property::Amount) do
    def unit
      'K'
    end

    def insync?(is)
      return true if is == :any
      super
    end
  end

  %w[soft hard].each do |limit|
    newproperty(limit.to_sym, parent: Puppet::Property::Amount) do
      define_method(:words) { limit == 'hard' ? %w[none all] : %w[none] }

      def change_to_s(is, should)
        "limit #{super}"
      end
    end
  end

  # Puppet calls it only for resources that others generate.
  def ancestors
    self[:name].split('/')[0..-2]
  end

  autorequire(:abstract_property) { ancestors }
end
