require Pathname.new(__FILE__).dirname.join('..', '..') + 'puppet_x/parts/loader'
require_relative '../../puppet_x/parts/reading'

Puppet::Type.newtype(:parts_crate) do
  extend PuppetX::Parts::Continued

  named_by(%r{\A(\w+)/(\w+)\z}, :dock, :label)

  newparam(:dock, namevar: true)
  continued newparam(:label)
  continued newproperty(:weight)

  newproperty(:load) do
    include PuppetX::Parts::Reading

    def unsafe_munge(value)
      read(value)
    end
  end
end
