# The desired value of a list property is one text for other code.
require 'puppet/property/list'
require 'puppet/property/ordered_list'

class Puppet::Property::Harbour < Puppet::Property::List
  def delimiter
    ' '
  end
end

Puppet::Type.newtype(:ship) do
  newparam(:name, namevar: true)
  newparam(:membership) do
    newvalues(:inclusive, :minimum)
    defaultto :minimum
  end
  newproperty(:crew, parent: Puppet::Property::List) do
    def membership
      :membership
    end
  end
  newproperty(:harbours, parent: Puppet::Property::Harbour)

  autorequire(:user) { self[:crew].to_s.split(',') }
  autorequire(:group) { should(:crew).split(',') if parameter(:crew) && parameter(:crew).value != 'none' }
  autorequire(:dock) { self[:harbours] ? self[:harbours].split(' ') : [] }
  validate do
    raise ArgumentError, 'no crew for a harbour' if self[:harbours] && self[:crew].nil?
  end
end
