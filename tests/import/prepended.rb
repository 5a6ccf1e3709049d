# A module in front of an attribute's class: its methods are called first.
module Trimmed
  def munge(value)
    super(value.strip)
  end
end

Puppet::Type.newtype(:note) do
  newparam(:name)

  newparam(:text) do
    prepend Trimmed
    munge { |value| value.upcase }
  end
end
