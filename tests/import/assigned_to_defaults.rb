# A param that another one assigns, and that defaults read: what is assigned is its default. What reads it in another way, or too early,
# leaves the assignment in Ruby.
Puppet::Type.newtype(:assigned_to_defaults) do
  newparam(:name, namevar: true)

  newparam(:host) do
    munge do |value|
      user, host = value.include?('@') ? value.split('@', 2) : [nil, value]
      host, port = host.split(':')
      resource[:user] = user if user && !resource[:user] && resource[:user_kind].nil?
      resource[:port] ||= port if port
      host.downcase
    end
  end

  newparam(:user_kind)

  newparam(:user) do
    munge { |value| value.downcase }
  end

  newparam(:port) do
    defaultto '22'
  end

  newparam(:identity) do
    defaultto { resource[:user] ? "~#{resource[:user]}/id" : "port #{resource[:port]}" }
  end

  newparam(:early_reader) do
    defaultto { resource[:later] }
  end

  newparam(:assigns_later) do
    munge do |value|
      resource[:later] = value
      value
    end
  end

  newparam(:later)

  newparam(:assigns_checked) do
    munge do |value|
      resource[:checked] = value
      value
    end
  end

  newparam(:checked)

  newparam(:checks) do
    validate { |_value| raise ArgumentError, 'no' if resource[:checked] == 'no' }
  end
end
