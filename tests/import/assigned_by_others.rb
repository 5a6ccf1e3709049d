# Attributes that the code of others assigns: in Puppet's order, and unknown where that code is left in Ruby.
Puppet::Type.newtype(:address) do
  newparam(:name)

  newparam(:cost) do
    validate do |value|
      begin
        @resource[:metric] = Integer(value)
      rescue ArgumentError
        raise ArgumentError, "cost is a number"
      end
    end
  end

  newproperty(:metric)

  newproperty(:zone) do
    defaultto "home"
  end

  newproperty(:state) do
    defaultto { resource[:zone] == "home" ? :up : :down }
  end

  newproperty(:ip) do
    munge do |value|
      address, prefix = value.split("/")
      resource[:prefix] = prefix if prefix && resource[:prefix].nil?
      address.downcase
    end
  end

  newproperty(:prefix)

  newproperty(:fallback) do
    munge do |value|
      resource[:ip] = value if value == "none"
      value
    end
  end

  # A default does not count where Puppet has not set it yet.
  newproperty(:url) do
    munge do |value|
      resource[:port] = value[/:(\d+)/, 1] || "80"
      value
    end
  end

  newproperty(:port) do
    defaultto "443"
  end

  # Others read it before `finalize`.
  newproperty(:kind) do
    munge do |value|
      resource[:color] = value
      value
    end
  end

  newproperty(:color)

  newproperty(:shade) do
    defaultto { resource[:color] }
  end

  newparam(:site) do
    munge do |value|
      resource[:zone] = Sites.zone(value)
      resource[:state] ||= :up
      value
    end
  end

  validate do
    raise ArgumentError, "cost without a metric" if self[:cost] && self[:metric].nil?
  end
end
