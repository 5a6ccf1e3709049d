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
# --
newparam(:place) { isnamevar }
newproperty(:row, readonly: true)
newproperty(:label, retrieve: :text)
autorequire(:file) { self[:name] }
#=> type shelf {
#=>   newparam place { isnamevar }
#=>   newproperty row
#=>   newproperty label {
#=>     untranslated validate, "the option `retrieve` is computed",
#=>       ruby: "newproperty(:label, retrieve: :text)"
#=>   }
#=>   autorequire file { self.place }
#=> }
# --
newparam(:name, namevar: true)
newproperty(:width)
newproperty(:length)
validate do
  width = self[:width] or self[:length]
  raise ArgumentError, 'both' if width && self[:length]
end
#=> type shelf {
#=>   newparam name { isnamevar }
#=>   newproperty width
#=>   newproperty length
#=>   validate {
#=>     let width = self.width
#=>     fail "both" if width && self.length
#=>   }
#=> }
# --
newparam(:name) { isnamevar }
newparam(:row) { isnamevar }
def self.title_patterns
  lower = ->(text) { text.downcase }
  [[/^(\w+)$/, [[:name, lower]]], [/^(\w+)-(\w+)$/, [[:name, lower], [:row]]], [/^(\w+) (\w+)$/, [[:name], [:other]]]]
end
#=> type shelf {
#=>   newparam name { from_title { |text| text.downcase }; isnamevar }
#=>   newparam row { isnamevar }
#=>   title_patterns {
#=>     /(?m:^(\w+)$)/           => name
#=>     /(?m:^(\w+)-(\w+)$)/     => name, row
#=>     /(?m:^(?:\w+) (?:\w+)$)/ => nil
#=>   }
#=>   validate { match title(self) {
#=>       /(?m:^(\w+)$)/           => nil
#=>       /(?m:^(\w+)-(\w+)$)/     => nil
#=>       /(?m:^(?:\w+) (?:\w+)$)/ => fail "a title pattern sets `other`, which is not an attribute"
#=>       _                        => nil
#=>     } }
#=> }
# --
newparam(:name, namevar: true)
validate do
  fail('no room') if self[:room].nil? && self[:tag]
end
#=> type shelf {
#=>   newparam name { isnamevar }
#=>   validate { fail "no room" if fail("Invalid parameter room(:room)").nil? && self.tag }
#=> }
# --
newparam(:name, namevar: true)
validate do
  fail('no provider') if self[:provider].nil?
end
#=> type shelf {
#=>   newparam name { isnamevar }
#=>   untranslated validate, "the type has no attribute `provider`", ruby: """
#=>       validate do
#=>         fail('no provider') if self[:provider].nil?
#=>       end
#=>       """
#=> }
