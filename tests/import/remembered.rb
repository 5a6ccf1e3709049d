# Instance variables that a property keeps from its comparison to its message.
Puppet::Type.newtype(:remembered) do
  newparam(:name, namevar: true)

  newproperty(:version) do
    newvalues(:latest, %r{^\d})

    def insync?(is)
      @asked ||= Time.now.to_i
      should = @should.is_a?(Array) ? @should[0] : @should
      return super(is) unless should == :latest

      begin
        @latest = provider.class.latest(@resource[:name])
      rescue StandardError => e
        error = Puppet::Error.new("no version: #{e}")
        error.set_backtrace(e.backtrace)
        raise error
      end
      case is
      when @latest
        true
      else
        false
      end
    end

    def should_to_s(value)
      @latest ? super(@latest) : super(value)
    end
  end

  # Something else reads it, too.
  newproperty(:state) do
    attr_reader :before

    def insync?(is)
      @before = is
      @before == should
    end

    def sync
      provider.state = @before
    end
  end
end
