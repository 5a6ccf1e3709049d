# What `should` gives is not what Puppet's own `insync?` compares.
Puppet::Type.newtype(:given_values) do
  newparam(:name)

  newproperty(:speed) do
    def should
      super.to_i * 2
    end
  end

  newproperty(:hue) do
    def should
      super.upcase
    end

    def insync?(is)
      is == 'ANY' || super
    end
  end

  newproperty(:width) do
    def should
      @should.map(&:to_i).max
    end

    def insync?(is)
      is.to_i == should
    end
  end

  newproperty(:marks, array_matching: :all) do
    def should
      @should
    end
  end

  newproperty(:one_of) do
    def should
      @should
    end
  end
end
