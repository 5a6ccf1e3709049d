# What Ruby says by code and the language by a word.
Puppet::Type.newtype(:lamp_setting) do
  newparam(:name, namevar: true)

  newparam(:secret, boolean: true) do
    newvalues(:true, :false)
  end

  newproperty(:value, array_matching: :all) do
    munge do |v|
      v = v.to_s.strip
      v.capitalize! if v =~ /^(true|false)$/i
      v
    end

    def insync?(is)
      return true if @should.empty?
      return false unless is.is_a? Array
      return false unless is.length == @should.length
      return (
        is & @should == is or
        is & @should.map(&:to_s) == is
      )
    end

    def is_to_s(current)
      if resource.secret?
        return '[old secret redacted]'
      else
        return current
      end
    end

    def should_to_s(wanted)
      if resource.secret?
        return '[new secret redacted]'
      else
        return wanted
      end
    end
  end

  # Other words than those of the kind.
  newproperty(:code) do
    munge do |value|
      value = value.to_s.strip
      value.capitalize! if value =~ /^(true|false)$/i
      value
    end

    def is_to_s(current)
      if resource.secret?
        '[old code]'
      else
        current
      end
    end

    def should_to_s(wanted)
      if resource.secret?
        '[new code]'
      else
        wanted
      end
    end
  end

  newproperty(:key) do
    def is_to_s(_value)
      '[old key]'
    end

    def should_to_s(_value)
      '[new key]'
    end

    def change_to_s(is, _should)
      is == :absent ? 'new key' : 'other key'
    end
  end

  # The sides are not hidden under the same condition.
  newproperty(:note) do
    def is_to_s(value)
      resource.secret? ? '[old note]' : value
    end

    def should_to_s(_value)
      '[new note]'
    end
  end

  # Literals are symbols, which another munge replaces.
  newproperty(:mode) do
    newvalues(:true, :false, /^\d+$/)
    munge do |value|
      value = value.to_s.strip
      value.capitalize! if value =~ /^(true|false)$/i
      value
    end
  end

  newproperty(:id) do
    validate { |_value| raise ArgumentError, 'This is a read only property' }
  end

  # Whose default is refused.
  newproperty(:serial) do
    defaultto { 'x' }
    validate { |_value| raise ArgumentError, 'This is a read only property' }
  end

  # One value is wanted: it is no list.
  newproperty(:colour) do
    validate do |value|
      unless value =~ /\A[a-z]+\z/
        raise ArgumentError, 'a colour is a word'
      end
    end

    munge do |value|
      value = value.to_s.strip
      value
    end

    def insync?(is)
      return true if @should.empty?
      return false unless is.is_a? Array
      return false unless is.length == @should.length
      return (is & @should == is or is & @should.map(&:to_s) == is)
    end
  end

  autorequire(:lamp) do
    lamps = []
    lamps << self[:name] if self[:secret]
    lamps
  end

  autorequire(:switch) do
    switches = []
    switches << self[:name]
    switches << self[:code]
    switches
  end

  # Each under a condition of its own.
  autorequire(:cable) do
    cables = []
    cables << self[:name] if self[:secret]
    cables << self[:code] if self[:code]
    cables
  end

  # What is left at the end in some cases only.
  newproperty(:width) do
    munge do |value|
      if value.is_a?(Array)
        return value.first if value.length == 1
        return value
      end
      value = value.to_s if value.is_a?(Integer)
      value
    end
  end
end
