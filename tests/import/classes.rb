# A class in the type, which attributes build upon and tell something.
Puppet::Type.newtype(:dial) do
  newparam(:name, namevar: true)

  class DialSetting < Puppet::Property
    class << self
      attr_accessor :limits, :unused
    end

    def insync?(is)
      is_to_s(is) == should_to_s
    end

    def is_to_s(value = @is)
      value = value[0] if value.is_a?(Array)
      super(value)
    end

    def should_to_s(value = @should)
      if value.is_a?(Array) && (name == :label || value[0].is_a?(Symbol))
        value = value[0]
      end
      super(value)
    end

    def should
      if @should && @should[0] == :off
        :off
      else
        @should
      end
    end

    def should=(values)
      super
      @should.flatten!
    end

    def within(number, low, high)
      number >= low && number <= high && number
    end

    munge do |value|
      return :off if value == 'off'
      return value unless self.class.limits

      low, high = self.class.limits
      number = if respond_to?(:words) && words.include?(value)
                 words.index(value)
               else
                 within(value.to_i, low, high)
               end
      raise ArgumentError, "#{value} is no #{self.class.name}" unless number
      number.to_s
    end
  end

  # A class of the name of an attribute, for other attributes.
  class Hands < Puppet::Property
    def insync?(is)
      is.is_a?(Array) && @should.is_a?(Array) ? is.sort == @should.sort : is == @should
    end
  end

  newproperty(:hands)

  newproperty(:fingers, parent: Hands, array_matching: :all)

  newproperty(:label, parent: DialSetting) do
    desc 'Text: one is enough.'
    def should
      @should[0]
    end
  end

  newproperty(:angle, parent: DialSetting) do
    self.limits = [0, 359]
    desc 'Where it points.'
  end

  newproperty(:step, parent: DialSetting) do
    def words
      %w[low high]
    end
    self.limits = [0, 1]
  end

  # What it compares is the list, of which it gives the last.
  newproperty(:last, parent: DialSetting) do
    def should
      @should[-1]
    end
  end
end

# A method of the class with the name of one that Puppet calls on resources.
Puppet::Type.type(:dial).instance_eval do
  def refresh
    debug 'never called'
  end
end
