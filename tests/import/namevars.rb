# Forms of namevars and titles that Puppet accepts.
require 'puppet/property/boolean'

class Puppet::Property::Shelf < Puppet::Property
  def insync?(is)
    same = is == should
    provider.note(name, is) unless same
    same
  end

  # It calls itself, and the values decide when it ends.
  def self.flat(value)
    value.is_a?(Array) ? value.each { |one| flat one } : value
  end
  flat Facter.value(:shelves)
end

# The namevar is called `title`, and builds upon a class of properties.
Puppet::Type.newtype(:album) do
  newparam(:title, namevar: true, parent: Puppet::Property::Shelf) { desc 'Its title.' }
  newproperty(:place, parent: Puppet::Property::Shelf) { desc 'Where it is.' }
end

# A row with more names than groups.
Puppet::Type.newtype(:track) do
  newparam(:album, namevar: true)
  newparam(:number, namevar: true)
  def self.title_patterns
    [[/^(\w+)$/, [[:album], [:number]]], [/^(\w+):(\d+)$/, [[:album], [:number]]]]
  end
end

# Functions convert what the title gives; the patterns are computed.
Puppet::Type.newtype(:berth) do
  newparam(:ship, namevar: true)
  newparam(:deck, namevar: true)
  def self.title_patterns
    identity = ->(x) { x }
    lower = lambda { |x| x.downcase }
    patterns = []
    patterns << [/^(\w+)$/, [[:ship, identity]]]
    patterns << [/^(\w+)-(\w+)$/, [[:ship, identity], [:deck, lower]]]
    patterns
  end
end
