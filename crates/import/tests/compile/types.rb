newparam(:name, namevar: :true)
autorequire(:file) do
  catalog.resources.select { |one| one.is_a?(Puppet::Type.type(:rack)) && one[:shelf] == self[:name] }
end
autorequire(:rack) do
  found = []
  catalog.resources.each do |one|
    if one.class.to_s == 'Puppet::Type::Rack'
      found << one.name if one[:shelf] == self[:name]
    end
  end
  found
end
#=> type shelf {
#=>   newparam name { isnamevar }
#=>   autorequire file { catalog.resources(:rack).select { |one| one.shelf == self.name } }
#=>   autorequire rack {
#=>     let found = []
#=>     catalog.resources(:rack).each { |one|
#=>       found = found.push(one.name) if one.shelf == self.name
#=>     }
#=>     found
#=>   }
#=> }
# --
newparam(:name, namevar: true)
newparam(:site, namevar: true)
def self.title_patterns
  same = ->(x) { x }
  [[/^(\S+)@(\S+)$/, [[:name, same], [:site, same]]], [/(.*)/m, [[:name, same]]]]
end
#=> type shelf {
#=>   newparam name { isnamevar }
#=>   newparam site { isnamevar }
#=>   title_patterns {
#=>     /(?m:^(\S+)@(\S+)$)/ => name, site
#=>     /(.*)/s              => name
#=>   }
#=> }
# --
newparam(:name, namevar: true)
newproperty(:name) { desc 'Replaces the parameter.' }
#=> type shelf {
#=>   newproperty name { isnamevar; desc "Replaces the parameter." }
#=>   title_patterns { /(.*)/s => name }
#=> }
# --
newproperty(:state)
newparam(:name, namevar: true)
newparam(:zone, parent: Puppet::Property) { desc 'A property among the parameters.' }
newproperty(:size)
#=> type shelf {
#=>   newproperty state
#=>   newparam name { isnamevar }
#=>   newproperty size
#=>   newproperty zone { desc "A property among the parameters."; insync { |is| true } }
#=> }
# --
newparam(:name, namevar: true)
def initialize(*args)
  @words = %w[a b]
  super
  self[:tag] = %w[shelf]
end
#=> type shelf {
#=>   newparam name { isnamevar }
#=>   finalize { self.tag = ["shelf"] }
#=> }
# --
newparam(:name, namevar: true)
newparam(:size)
validate { raise 'first' if self[:size] }
validate { raise 'second' unless self[:size] }
autorequire(:file) { '/first' }
autorequire(:rack) { 'rack' }
autorequire(:file) { '/second' }
#=> type shelf {
#=>   newparam name { isnamevar }
#=>   newparam size
#=>   validate { fail "second" unless self.size }
#=>   autorequire rack, ["rack"]
#=>   autorequire file, ["/second"]
#=> }
# --
module Units
  def self.bare(text)
    text.sub(/m\z/, '')
  end

  def self.same?(one, other)
    bare(one) == bare(other)
  end
end
newparam(:name, namevar: true)
newproperty(:width) do
  def insync?(is)
    Units.same?(is, should)
  end
end
#=> type shelf {
#=>   fn bare(text) { text.sub(/m\z/, "") }
#=> 
#=>   fn same?(one, other) { bare(one) == bare(other) }
#=>   newparam name { isnamevar }
#=>   newproperty width {
#=>     insync { |is| same?(is, should) }
#=>   }
#=> }
# --
newparam(:name, namevar: true)
newparam(:room)
autorequire(:file) do
  rooms = []
  rooms << @parameters[:room].value if @parameters[:room]
  rooms
end
#=> type shelf {
#=>   newparam name { isnamevar }
#=>   newparam room
#=>   autorequire file { [self.room] if self.set?(:room) }
#=> }
# --
newparam(:size, parent: Puppet::Property, namevar: true) do
  def insync?(is)
    is.to_s == should
  end
end
def name
  "#{self[:size]} wide"
end
#=> type shelf {
#=>   newproperty size {
#=>     isnamevar
#=>     insync { |is| true }
#=>   }
#=>   title_patterns { /(.*)/s => size }
#=> }
# --
newparam(:name, namevar: true)
def first(text)
  [second(text), caller]
end
def second(text)
  text.empty? ? '' : first(text)
end
validate { second(self[:name]) }
#=> type shelf {
#=>   newparam name { isnamevar }
#=>   untranslated validate, "the method `caller` is not supported",
#=>     ruby: "validate { second(self[:name]) }"
#=> }
# --
newparam(:name, namevar: true)
validate do
  message = 'wrong'
  begin
    Integer(self[:name])
  rescue ArgumentError
    raise message
  end
end
#=> type shelf {
#=>   newparam name { isnamevar }
#=>   validate {
#=>     let message = "wrong"
#=>     try { Integer(self.name) } else "ArgumentError" { fail message, error: "RuntimeError" }
#=>   }
#=> }
# --
module Shelves
  def self.check(shelf, most)
    raise Puppet::Error, "#{shelf[:name]} is too wide" if shelf[:width].to_i > most
  end
end
newparam(:name)
newproperty(:width)
validate { Shelves.check(self, 9) }
#=> type shelf {
#=>   fn check(most) {
#=>     fail "#{self.name} is too wide", error: "Puppet::Error" if self.width.to_i > most
#=>   }
#=>   newparam name { isnamevar }
#=>   newproperty width
#=>   validate { check(9) }
#=> }
