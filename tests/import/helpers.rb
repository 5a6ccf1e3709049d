# Methods that a type and its attributes define for themselves.
Puppet::Type.newtype(:shelf) do
  newparam(:name, namevar: true)

  newproperty(:books, array_matching: :all) do
    def normal(title, case_matters = false)
      case_matters ? title.strip : title.strip.downcase
    end

    def same?(is)
      is.map { |b| normal(b) }.sort == @should.map { |b| normal(b) }.sort
    end

    def insync?(is)
      same?(is)
    end

    def should_to_s(value)
      value.join(', ')
    end

    def is_to_s(value)
      should_to_s(value)
    end

    munge { |value| normal(value, true) }
  end

  newproperty(:width) do
    def normal(value)
      Integer(value)
    end

    validate do |value|
      resource.check_width(normal(value))
      resource.class.check_limit(value, 9)
    end
  end

  # A block that calls another one.
  newproperty(:depth) do
    validate do |value|
      raise ArgumentError, 'too deep' if munge(value) > 9
    end

    munge do |value|
      Integer(value)
    end
  end

  def check_width(width)
    raise ArgumentError, 'too narrow' if width < 1
  end

  def self.check_limit(value, limit = 5)
    raise ArgumentError, "#{value} is too wide" if value.to_i > limit
  end
end
