# A class of properties whose `inherited` sets up the classes that build on it, which `newproperty` makes, too.
class NameList < Puppet::Property
  def self.inherited(klass)
    super
    klass.array_matching = :all
  end
end

Puppet::Type.newtype(:host_group) do
  newparam(:name)
  newproperty(:members, parent: NameList)
  newproperty(:owners)
end
