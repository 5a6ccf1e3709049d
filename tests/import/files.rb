# Checks that look for files on the machine.
Puppet::Type.newtype(:shelf) do
  newparam(:name, namevar: true)

  newparam(:room) do
    validate do |value|
      raise ArgumentError, "#{value} is not a directory" unless File.directory?(value)
      raise ArgumentError, "#{value} is a link" if File.symlink?(value)
    end
  end

  newparam(:list) do
    validate { |value| raise ArgumentError, "#{value} is not a file" unless File.file?(value) || Dir.exist?("#{value}.d") }
  end
end
