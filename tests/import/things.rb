# The resource, the catalog and objects of classes of Ruby code, given to functions.
module Garden
  # What a module keeps for itself is computed each time.
  def self.check_bed(resource)
    if !@beds.nil?
      beds = @beds
    else
      beds = []
      resource.catalog.resources.each do |other|
        if other.class.to_s == 'Puppet::Type::Bed'
          beds << other[:name]
        end
      end
      @beds = beds
    end
    resource.fail "no bed `#{resource[:bed]}`" unless beds.include?(resource[:bed])
  end

  # Kept for the first resource, and used for all.
  def self.first_color(resource)
    @color ||= resource[:color]
    @color
  end

  def self.prefix(of)
    "#{of.class.to_s.split('::').last}[#{of[:name]}]"
  end

  # Named and further parameters.
  def self.between(value, low, high = 100, unit: 'cm', **others)
    raise ArgumentError, "#{value} #{unit} is not between" unless value.to_i.between?(low, high)
    raise ArgumentError, 'too much' unless others.empty?
  end

  def self.any_of(value, *allowed)
    allowed.include?(value)
  end

  def self.about(attribute, value)
    raise ArgumentError, "#{attribute.name}: #{value}" if attribute.resource[:bed].nil?
  end

  # A change that the caller sees, too, is left untranslated.
  def self.spread(list, word)
    list << word
  end

  class Label
    attr_reader :text

    def initialize(text, owner = nil)
      @text = text
      @owner = owner
    end

    def valid?
      !parts.empty? && parts.all? { |p| known?(p) }
    end

    def to_s
      parts.join('-')
    end

    private

    def known?(part)
      part =~ /\A[a-z]+\z/
    end

    def parts
      return @parts if @parts

      @parts = @text.split(' ')
    end
  end

  class Counter
    attr_accessor :limit

    def initialize(start)
      @count = start
      @seen = []
      @limit = nil
    end

    def add(word)
      return if @seen.include?(word)

      @seen << word
      @count += 1
    end

    def total
      @count
    end

    def empty?
      total.zero?
    end
  end

  class Lookup
    def initialize(catalog, resource)
      @catalog = catalog
      @resource = resource
    end

    def bed
      return nil if @catalog.nil?

      found = @catalog.resource(:bed, @resource[:bed])
      found.nil? ? nil : found[:path]
    end
  end

  class Settings
    include Singleton

    def initialize
      @depth = 3
    end

    def depth
      @depth
    end
  end
end

Puppet::Type.newtype(:plant) do
  newparam(:name, namevar: true) do
    validate do |value|
      Garden.about(self, value)
      label = Garden::Label.new(value)
      raise ArgumentError, "bad label #{label.text}" unless label.valid?
    end
    munge do |value|
      Garden::Label.new(value).to_s
    end
  end
  newparam(:bed)
  newparam(:height) do
    validate do |value|
      Garden.between(value, 1, unit: 'mm')
      Garden.between(value, 1, 5, size: 2)
      raise ArgumentError, 'odd' unless Garden.any_of(value, '1', '2')
    end
  end
  newproperty(:color) do
    munge do |value|
      counter = Garden::Counter.new(0)
      value.split(',').each { |word| counter.add(word) }
      counter.limit = 9
      "#{counter.total} of #{counter.limit}"
    end
  end
  newproperty(:depth) do
    defaultto { Garden::Settings.instance.depth }
  end
  # Both locals are one object.
  newproperty(:twin) do
    munge do |value|
      counter = Garden::Counter.new(0)
      other = counter
      counter.add(value)
      other.total
    end
  end
  newproperty(:spread) do
    munge do |value|
      words = [value]
      Garden.spread(words, 'x')
      words
    end
  end
  # An object is no value.
  newproperty(:label) do
    munge do |value|
      Garden::Label.new(value)
    end
  end
  newproperty(:shade) do
    munge do |value|
      Garden.first_color(resource)
    end
  end

  autorequire(:file) do
    Garden::Lookup.new(catalog, self).bed
  end

  def pre_run_check
    Garden.check_bed(self)
    fail "#{Garden.prefix(self)} is bare" if limit(self, of: 2) > 3
  end

  def limit(plant, of: 1)
    plant[:height].to_i * of
  end
end
