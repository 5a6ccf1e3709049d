# `super` with a block of its own, in methods that declare something.
Puppet::Type.newtype(:relay) do
  newparam(:name, namevar: true)

  newproperty(:own) do
    desc 'The block of `super` gets the value of the block.'
    def self.munge(&block)
      super() { |value| "x#{value}" }
    end
    munge { |value| value }
  end

  newproperty(:forwarded) do
    desc 'The same without parentheses.'
    class << self
      def munge(&block)
        super { |value| "y#{value}" }
      end
    end
    munge { |value| value }
  end

  newproperty(:passed) do
    desc 'The block of the method.'
    def self.munge(&block)
      super(&block)
    end
    munge { |value| "z#{value}" }
  end

  newproperty(:none) do
    desc 'No block.'
    def self.newvalue(name, options = {}, &block)
      super(name, options, &nil)
    end
    newvalue(:a) { provider.run }
  end

  newproperty(:yielding) do
    desc 'The block of `super` yields to the block of the method.'
    def self.validate
      super { |value| yield value.to_s }
    end
    validate { |value| raise ArgumentError, 'too long' if value.length > 3 }
  end
end
