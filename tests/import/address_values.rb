# An IPAddr as a value, and only checked.
require 'ipaddr'
Puppet::Type.newtype(:ip_route) do
  newparam(:name, namevar: true)
  newproperty(:network) do
    munge { |value| IPAddr.new(value) }
  end
  newproperty(:area) do
    munge do |value|
      value = IPAddr.new(value.to_i, Socket::AF_INET) unless value[/\./]
      value
    end
  end
  newproperty(:gateway) do
    munge do |value|
      ip = IPAddr.new(value)
      ip
    end
    def insync?(is)
      is == should.to_s
    end
  end
  newparam(:servers) do
    munge { |value| [value].flatten.map { |v| IPAddr.new(v) } }
  end
  newparam(:checked) do
    validate { |value| IPAddr.new(value) }
  end
  newproperty(:rescued) do
    validate do |value|
      begin
        IPAddr.new(value)
      rescue StandardError
        raise ArgumentError, "#{value} is bad"
      end
    end
    munge do |value|
      IPAddr.new(value).to_s
    end
  end
end
