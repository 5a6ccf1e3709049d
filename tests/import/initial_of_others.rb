# What `initialize` of one class sets, another class does not read.
class Limits
  def initialize
    @limit = 5
  end
end

class Limited < Puppet::Property
  munge { |value| @limit.nil? ? value : @limit }
end

Puppet::Type.newtype(:limited) do
  newparam(:name, namevar: true)
  newproperty(:size, parent: Limited)
  newproperty(:width) { munge { |value| [@limit, value].compact.join } }
end
