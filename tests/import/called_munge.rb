# Other blocks convert values as the attribute does.
Puppet::Type.newtype(:tidings) do
  newparam(:name, namevar: true)

  newproperty(:word) do
    def unsafe_munge(value)
      value.to_s.strip.downcase
    end

    def insync?(is)
      unsafe_munge(is) == should
    end
  end

  newproperty(:line) do
    munge { |value| value.to_s.strip }

    def insync?(is)
      unsafe_munge(is) == should
    end
  end

  newproperty(:kind) do
    munge { |value| checked!(value) }

    def checked!(value)
      raise ArgumentError, "#{value} is too short" if value.length < 3

      value
    end
  end

  def whole!
    raise Puppet::Error, 'word or line' unless self[:word] || self[:line]
  end

  validate do
    whole!
    [self[:kind]].compact.each(&method(:known!))
  end

  def known!(kind)
    raise ArgumentError, "#{kind} is unknown" unless kind.start_with?('k')
  end
end
