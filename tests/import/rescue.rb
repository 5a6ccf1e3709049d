# `try` catches every error, as a bare `rescue` does; what catches some errors only must not.
Puppet::Type.newtype(:limit) do
  newparam(:name) do
    isnamevar
  end

  newparam(:size) do
    munge do |value|
      begin
        Integer(value)
      rescue StandardError
        0
      end
    end
  end

  newparam(:rate) do
    munge do |value|
      begin
        Integer(value)
      rescue ArgumentError
        0
      end
    end
  end

  # Where the handler fails, too, errors of other kinds fail all the same.
  newparam(:pattern) do
    munge do |value|
      begin
        Regexp.new(value)
      rescue RegexpError => e
        raise ArgumentError, "not a pattern: #{e.message}", e.backtrace
      end
    end
  end

  newparam(:note) do
    validate do |value|
      begin
        raise ArgumentError, 'too long' if value.length > 9
      rescue
        debug('refused')
        raise
      end
    end
  end

  newparam(:unit) do
    desc '  blanks around it  '.strip
  end
end
