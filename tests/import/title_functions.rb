# Title patterns with functions, and patterns with named and other groups.
Puppet::Type.newtype(:berth) do
  def self.title_patterns
    number = lambda { |text| text.to_i }
    [
      [/\A(\w+):(\d+)-(\d+)\z/m, [[:harbour], [:first], [:last]]],
      [/\A(\w+):(\d+)\z/m, [[:harbour, ->(text) { text.downcase }], [:first, number]]],
      [/\A(\w+)\z/m, [[:harbour, ->(text) { text }]]],
    ]
  end

  newparam(:harbour, namevar: true)

  newparam(:first, namevar: true) do
    munge { |value| Integer(value) }
  end

  newparam(:last) do
    defaultto { resource[:first] }
    munge { |value| Integer(value) }
  end

  newparam(:ship) do
    validate do |value|
      parts = value.match(/\A(MV|SS) (?<name>\w+)(, (?<port>\w+))?\z/)
      raise ArgumentError, "no name in #{value}" unless parts
      raise ArgumentError, "#{parts[:name]} is too long" if parts[:name].size > 8
      raise ArgumentError, "unknown port #{parts['port']}" if parts['port'] && parts['port'] !~ /\A(Kiel|Bergen)\z/
    end
  end
end

Puppet::Type.newtype(:mooring) do
  def self.title_patterns
    [[/\A(.*)\z/m, [[:name, proc { |text| text.strip.tr(' ', '_') }]]]]
  end

  newparam(:name, namevar: true)
end
