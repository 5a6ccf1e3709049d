# Code that types and attributes share.
module SharedWords
  def clip(value)
    value.to_s[0, 5]
  end
end

class Puppet::Parameter::OneOf < Puppet::Parameter
  def self.allowed
    []
  end

  validate do |value|
    raise ArgumentError, "#{value} is none of #{self.class.allowed.join(', ')}" unless self.class.allowed.include?(value)
  end
end

# Each attribute may have its own `limit`, which is called with an argument: no parameter of the kind.
class Puppet::Parameter::Limited < Puppet::Parameter
  def self.limit(value)
    value.length
  end

  munge { |value| value[0, self.class.limit(value)] }
end

Puppet::Type.newtype(:shared) do
  include SharedWords

  class << self
    # Code of load time, which no block calls.
    def checked(name, pattern, &block)
      newproperty(name) do
        validate { |value| raise ArgumentError, "#{name} must match #{pattern.inspect}" unless value.to_s =~ pattern }
        instance_eval(&block) if block
      end
    end
  end

  newparam(:name, namevar: true) do
    include SharedWords
    munge { |value| clip(value) }
  end

  newparam(:level, parent: Puppet::Parameter::OneOf) do
    def self.allowed
      %w[low high]
    end
  end
  newparam(:nothing, parent: Puppet::Parameter::OneOf)

  newparam(:short, parent: Puppet::Parameter::Limited) do
    def self.limit(_value)
      3
    end
  end

  # Methods that are made from blocks.
  newproperty(:hosts, array_matching: :all) do
    define_method(:insync?) { |is| is.sort == should.sort }
    define_method(:should_to_s) { |value| value.join(',') }
  end
  define_method(:full_name) { |suffix| "#{self[:name]}#{suffix}" }
  autorequire(:file) { full_name('.d') }

  newparam(:password) { sensitive true if respond_to?(:sensitive) }

  checked(:zone, /^[a-z]+$/)
  checked(:serial, /^\d+$/) { munge { |value| value.to_i } }

  validate { raise ArgumentError, 'too long' if clip(self[:name]) != self[:name] }
end
