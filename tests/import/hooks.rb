# Methods of Puppet's attributes that attributes replace.
Puppet::Type.newtype(:lamp) do
  newparam(:name, namevar: true)
  newparam(:force)

  def finish
    super
  end

  # Only `ensure` would ask for it.
  def exists?
    provider.lit?
  end

  newproperty(:plain) do
    def set(value)
      provider.plain = value
    end
  end

  newproperty(:acting) do
    newvalue(:on) { provider.light }
    def set(value)
      provider.acting = value
    end
  end

  newproperty(:shown) do
    def insync?(*)
      true
    end

    def is_to_s(value, *)
      "<#{value}>"
    end
  end

  newproperty(:level) do
    def munge(value)
      super(value.to_s)
    end

    def property_matches?(current, desired)
      current.to_i == desired.to_i
    end
  end

  newproperty(:rooms) do
    def should
      defined?(@should) ? @should : nil
    end

    def insync?(is)
      is.sort == @should.sort
    end

    def should_to_s(rooms = @should)
      rooms.join(',')
    end
  end

  newproperty(:scenes) do
    attr_reader :should

    def insync?(is)
      is == @should
    end
  end

  newproperty(:place) do
    def should
      return super if defined?(@should) && @should[0] != :absent
      begin
        File.expand_path("~#{resource[:name]}/lamp")
      rescue
        nil
      end
    end
  end

  newproperty(:colors, array_matching: :all) do
    def should=(values)
      @should = super(values).sort
    end

    def value
      @cached
    end
  end

  validate do
    self[:force] ||= 'no'
    raise ArgumentError, 'no level' unless self[:level]
    self[:level] = 0 if self[:force] == 'yes'
  end
end
