# What is not known of errors, and what is not the same where errors are handled, stays in Ruby.
module ErrorsAsObjects
  class Full < StandardError
    def initialize(count)
      super("#{count} are too many")
    end
  end

  def self.check(value)
    raise Full.new(value) if value.to_i > 3
    raise Errno::ENOENT, value if value == 'missing'
    value
  end
end

Puppet::Type.newtype(:errors_as_objects) do
  newparam(:name)

  newparam(:classed) do
    munge do |value|
      begin
        Integer(value)
      rescue ArgumentError, TypeError => e
        "#{e.class}: #{e.message}"
      end
    end
  end

  newparam(:message) do
    munge do |value|
      begin
        ErrorsAsObjects.check(value)
      rescue ErrorsAsObjects::Full, SystemCallError => e
        e.message
      end
    end
  end

  newparam(:number) { munge { |value| Integer(value) } }

  newparam(:sets) do
    munge do |value|
      begin
        resource[:number] = value
        'set'
      rescue Puppet::Error
        'not set'
      end
    end
  end

  newparam(:branch) do
    munge do |value|
      uri = value
      uri = URI.parse(value) if value.end_with?('u')
      uri.is_a?(URI::HTTP).to_s
    end
  end

  newparam(:taken) do
    munge do |value|
      uri = URI.parse(value)
      uri, other = value, 1
      [uri.is_a?(URI::HTTP), other]
    end
  end
end
