# Matches of which pattern is only known when the block runs: which groups they have is not guessed.
Puppet::Type.newtype(:riddle) do
  newparam(:name, namevar: true)

  newproperty(:host) do
    munge do |value|
      found = value.include?('@') ? /\A(?<user>\w+)@(?<host>\w+)\z/.match(value) : /\A(?<host>\w+)\z/.match(value)
      found ? found[:host] : value
    end
  end

  newproperty(:guest) do
    munge do |value|
      found = nil
      found = /\A(?<user>\w+)@(?<guest>\w+)\z/.match(value) if value.include?('@')
      found ||= /\A(?<guest>\w+)\z/.match(value)
      found ? found[:guest] : value
    end
  end
end
