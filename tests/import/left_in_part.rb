# What cannot be translated stays in Ruby with what follows it, in the branch or closure around it: a resource that does not reach it
# behaves as in Puppet.
module Orchard
  GRADES = { 'a' => ->(fruit) { fruit.upcase }, 'b' => ->(fruit) { Grader.rate(fruit) } }.freeze

  # Callers that do not reach it need nothing of it.
  def self.weigh(fruit)
    Scale.weigh(fruit)
  end

  def self.weight(fruit)
    return 0 if fruit == 'none'
    fruit == 'heavy' ? weigh(fruit) : fruit.length
  end
end

Puppet::Type.newtype(:orchard) do
  newparam(:name, namevar: true)

  newproperty(:fruit) do
    validate do |value|
      raise ArgumentError, 'no fruit is named' if value.empty?
      raise ArgumentError, 'it is not ripe' unless Ripeness.of(value) > 3
    end
    munge do |value|
      next :none if value == 'none'
      value.start_with?('old') ? Archive.find(value) : value.downcase
    end
    def insync?(is)
      return true if is == should
      Taxonomy.same?(is, should)
    end
  end

  newproperty(:trees, array_matching: :all) do
    munge do |value|
      if value.is_a?(Hash)
        value.map { |kind, count| Nursery.plant(kind, count) }
      else
        value
      end
    end
  end

  newproperty(:weight) do
    munge { |value| Orchard.weight(value) }
  end

  newparam(:grade) do
    munge { |value| Orchard::GRADES[value].call('apple') }
  end

  # Its method is only missed when the translation is loaded.
  newproperty(:crop) do
    munge do |value|
      next :none if value.empty?
      value.start_with?('late') ? value : value.ripened.to_s
    end
    validate do |value|
      value.split(',').each do |one|
        raise ArgumentError, 'a crop is empty' if one.empty?
        one.ripened
      end
    end
  end

  # Nothing of it can run before the part in Ruby.
  newparam(:season) do
    munge do |value|
      season = Almanac.season(value)
      season.upcase
    end
  end

  autorequire(:file) do
    next [] if self[:fruit].nil?
    Cellar.files(self[:fruit])
  end

  validate do
    raise Puppet::Error, 'a weight without fruit' if self[:weight] && self[:fruit].nil?
    Inspector.inspect(self) if self[:trees]
  end

  # A `generate` is left as a whole.
  def generate
    return [] if self[:trees].nil?
    Nursery.resources(self)
  end
end
