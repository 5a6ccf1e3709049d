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

  newparam(:unit) do
    desc '  blanks around it  '.strip
  end
end
