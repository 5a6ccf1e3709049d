# What properties see of the list of their desired values.
Puppet::Type.newtype(:mixer) do
  newparam(:name, namevar: true)
  newparam(:mode) do
    munge { |v| @should.nil? ? v : 'again' }
  end

  ensurable do
    newvalue(:present) { provider.create }
    newvalue(:absent) { provider.destroy }
    newvalue(:latest) { provider.update }

    def retrieve
      provider.query[:ensure]
    end

    def insync?(is)
      @should.each do |should|
        case should
        when :present
          return true unless is == :absent
        when *Array(is)
          return true
        end
      end
      false
    end
  end

  newproperty(:channels) do
    validate { |v| raise ArgumentError, "#{value} is not #{v}" if v == 'none' }

    def insync?(is)
      if is.is_a?(Array) && @should.is_a?(Array)
        is.sort == @should.sort
      else
        is == @should[0]
      end
    end

    def should_to_s(value)
      "#{value} (of #{@should.join(', ')})"
    end
  end
end
