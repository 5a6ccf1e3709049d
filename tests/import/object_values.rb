# Objects of classes in Ruby code that are values.
module Depot
  module Data
    class Crate
      include Comparable
      attr_reader :width, :label

      def initialize(args)
        @width = args['width'].to_i
        @label = Depot::Tag.of(args['label'])
      end

      def <=>(other)
        width <=> other.width
      end

      def wide?
        width > 10
      end

      def fits?(room)
        width <= room
      end

      def to_json(_arg = nil)
        { 'w' => width, 'tag' => label }.to_json
      end

      def to_s
        "#{width} cm, #{label}"
      end
    end

    # Without a text of its own.
    class Pallet
      attr_reader :crates

      def initialize(crates)
        @crates = crates
      end

      def text
        crates.map(&:to_json).join('; ')
      end
    end

    # The text needs the resource, which not all declarations have.
    class Shelf
      def initialize(name, resource)
        @name = name
        @resource = resource
      end

      def to_s
        "#{@resource.parameters[:room].value}/#{@name}"
      end

      def names
        [@name]
      end
    end

    # Its title alone is used.
    class Rack
      def initialize(title, resource)
        @title = title
        @resource = resource
      end

      def names
        [@title]
      end

      def to_s
        raise ArgumentError, "rack #{@title} is not there"
      end
    end

    class Moment < ::Time
      def to_s
        iso8601
      end
    end
  end

  class Tag
    attr_reader :word

    def initialize(word)
      @word = word.downcase
    end

    def self.of(word)
      return if word.nil?
      new(word)
    end

    def to_s
      "<#{word}>"
    end
  end

  class ShelfProperty < Puppet::Property
    def unsafe_munge(value)
      self.class.unsafe_munge(value, @resource)
    end

    def self.unsafe_munge(value, resource = nil)
      return if value.nil?
      Data::Shelf.new(value, resource)
    end

    def insync?(is)
      is == should
    end
  end

  class RackProperty < Puppet::Property
    def self.everything
      self.array_matching = :all
    end
    everything

    def unsafe_munge(value)
      self.class.unsafe_munge(value, @resource)
    end

    def self.unsafe_munge(value, resource = nil)
      Data::Rack.new(value, resource)
    end
  end
end

Puppet::Type.newtype(:depot) do
  newparam(:name, namevar: true)

  newparam(:room)

  newproperty(:crate) do
    munge { |value| Depot::Data::Crate.new(value) }
  end

  newproperty(:crates, array_matching: :all) do
    munge do |value|
      value.is_a?(Depot::Data::Crate) ? value : Depot::Data::Crate.new(value)
    end
  end

  newparam(:pallet) do
    munge { |value| Depot::Data::Pallet.new([value].flatten.map { |v| Depot::Data::Crate.new(v) }) }
  end

  newproperty(:shelf, parent: Depot::ShelfProperty)

  # Never compared, because it is declared as a param.
  newparam(:old_shelf, parent: Depot::ShelfProperty)

  newproperty(:rack, parent: Depot::RackProperty)

  newproperty(:all_racks) do
    self.array_matching = :all
  end

  newproperty(:made) do
    munge { |value| Depot::Data::Moment.parse(value) }
  end

  newparam(:opened) do
    munge { |value| Time.parse(value) }
  end

  newparam(:span) do
    validate do |value|
      first, last = value.split('..')
      from = Time.parse(first)
      to = Time.parse(last)
      raise ArgumentError, 'it ends before it begins' if to < from
      raise ArgumentError, 'it is too long' if to - from > 86_400
    end
  end

  newparam(:until) do
    validate do |value|
      Time.parse(value)
    end
    munge { |value| Time.parse(value).strftime('%d.%m.%Y') }
  end

  newproperty(:locked) do
    def insync?(is)
      Puppet::Coercion.boolean(is) == Puppet::Coercion.boolean(should)
    end
  end

  autorequire(:crate) do
    (self[:crates] || []).map(&:label).compact.map(&:to_s)
  end

  autorequire(:shelf) do
    reference = self[:shelf]
    raise "#{ref}: no shelf" if reference.nil?
    reference.names
  end

  validate do
    crate = self[:crate]
    raise Puppet::Error, "#{crate} is too wide" if crate && crate.wide? && !crate.fits?(50)
    raise Puppet::Error, "pallet: #{self[:pallet].text}" if self[:pallet]
  end
end
