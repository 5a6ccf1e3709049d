# frozen_string_literal: true

# Settings of the classes of attributes.
module IdiomsSettings
  # A local of a block has the name of the setting.
  class Bounded < Puppet::Parameter
    def self.range(range = nil)
      @range = range if range
      @range
    end

    def unsafe_munge(value)
      number = Integer(value.to_s, 10)
      range = self.class.range
      raise ArgumentError, "must be between #{range.first} and #{range.last}" if range && !range.include?(number)
      number
    rescue ArgumentError => e
      raise unless e.message.start_with?('invalid value')
      1
    end
  end
end

# A range as an argument.
module IdiomsSettingsRange
  VALID = (1..4094).freeze

  def check_range(value, range)
    number = Integer(value.to_s, 10)
    raise ArgumentError, "#{name} must be between #{range.min} and #{range.max}" unless range.include?(number)
    number
  end
end

Puppet::Type.newtype(:idioms_settings) do
  newparam(:name)

  # ['1', '0', '1024', '1025', 'x']
  newparam(:bounded, parent: IdiomsSettings::Bounded) do
    range 1..1024
  end

  # ['1', '-1025', 'x']
  newparam(:unbounded, parent: IdiomsSettings::Bounded)

  # ['1', '4094', '4095', 'x']
  newparam(:vlan) do
    include IdiomsSettingsRange

    munge { |value| check_range(value, IdiomsSettingsRange::VALID) }
  end
end
