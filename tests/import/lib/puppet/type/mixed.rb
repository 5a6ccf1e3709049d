require 'puppet_x/shop/titles'
require File.expand_path(File.join(File.dirname(__FILE__), '..', '..', 'puppet_x', 'shop', 'mixins', 'settings'))

Puppet::Type.newtype(:mixed) do
  extend PuppetX::Shop::Mixins::Settings
  include PuppetX::Shop::Mixins::Helpers

  declare_settings(:colour)

  newparam(:shelf) do
    isnamevar
    include PuppetX::Shop::Mixins::ReadOnly
  end

  # Loops over what is known.
  { weight: '%.2f', height: '%d' }.each do |dimension, format|
    newproperty(dimension) do
      desc "The #{dimension}."
      munge { |value| format % value }
    end
  end

  %w[left right].each { |side| autorequire(side.to_sym) { [half(self[:name], side)] } }

  if Puppet::Util::Package.versioncmp(Puppet.version, '4.0') >= 0
    autobefore(:stage) { 'last' }
  else
    autorequire(:stage) { 'first' }
  end

  class Port < Puppet::Property
    munge { |value| Integer(value) }
  end

  newproperty(:front, parent: Port)

  newproperty(:back, parent: Port) do
    defaultto PuppetX::Shop::Titles.port
  end

  newproperty(:labels, parent: Puppet::Property::List) do
    def membership
      :label_membership
    end

    def delimiter
      ' '
    end
  end

  newparam(:label_membership) do
    newvalues(:inclusive, :minimum)
    defaultto :minimum
  end

  def self.title_patterns
    PuppetX::Shop::Titles.split(:name, :shelf)
  end
end
