# frozen_string_literal: true

# `super` in class methods, and class methods that subclasses replace.
module IdiomsSupers
  module Loud
    def text
      "#{super.upcase}!"
    end
  end

  module Joins
    def joined(value)
      "#{prefix}:#{value}"
    end
  end

  class Base
    def self.prefix
      'base'
    end

    def self.full(value)
      "#{prefix}-#{value}"
    end

    def self.with_default(value, word = 'w')
      value + word
    end

    def self.with_keyword(value, word: 'k')
      value + word
    end

    def self.calls(value)
      helper(value)
    end

    def self.helper(value)
      "base#{value}"
    end
  end

  class Child < Base
    extend Joins

    class << self
      def prefix
        'child'
      end

      def with_default(value, word = 'z')
        super(value) + super(value, word) + super
      end

      def with_keyword(value, word: 'j')
        super(value, word: word) + super(value)
      end

      def helper(value)
        super + super(value.upcase)
      end
    end
  end

  class Grandchild < Child
    def self.with_default(value)
      value = value.downcase
      super
    end
  end

  class Top
    attr_reader :raw

    def initialize(raw, separator = '-')
      @raw = raw
      @separator = separator
    end

    def text
      [kind, raw].join(@separator)
    end

    def kind
      'top'
    end

    def to_s
      text
    end
  end

  class Middle < Top
    def initialize(raw)
      raise ArgumentError, "bad #{raw}" if raw.start_with?('x')
      super(raw.strip, '+')
      @length = raw.length
    end

    def kind
      "middle#{@length}"
    end
  end

  class Low < Middle
    include Loud

    def initialize(raw)
      super
      @low = true
    end

    def kind
      super + (@low ? 'L' : '')
    end
  end

  class Spread < Middle
    include Loud

    def initialize(raw, *)
      super(raw)
    end
  end

  class OfResource < Top
    def initialize(resource, raw)
      super(raw)
      @resource = resource
    end

    def kind
      @resource[:name]
    end
  end
end

Puppet::Type.newtype(:idioms_supers) do
  # [' Foo ', 'x']
  newparam(:replaced) do
    munge { |value| IdiomsSupers::Child.full(value) }
  end

  # [' Foo ', 'x']
  newparam(:not_replaced) do
    munge { |value| IdiomsSupers::Base.full(value) }
  end

  # ['x']
  newparam(:extended) do
    munge { |value| IdiomsSupers::Child.joined(value) }
  end

  # ['Foo']
  newparam(:with_default) do
    munge { |value| IdiomsSupers::Child.with_default(value) }
  end

  # ['Foo']
  newparam(:with_keyword) do
    munge { |value| IdiomsSupers::Child.with_keyword(value) }
  end

  # ['Foo']
  newparam(:calls) do
    munge { |value| IdiomsSupers::Child.calls(value) + IdiomsSupers::Base.calls(value) }
  end

  # ['Foo']
  newparam(:grandchild) do
    munge { |value| IdiomsSupers::Grandchild.with_default(value) + IdiomsSupers::Grandchild.calls(value) }
  end

  # [' Foo ', 'x']
  newparam(:middle) do
    munge { |value| IdiomsSupers::Middle.new(value).text }
  end

  # [' Foo ', 'x']
  newparam(:low) do
    munge { |value| "#{IdiomsSupers::Low.new(value)}" }
  end

  # [' Foo ']
  newparam(:spread) do
    munge { |value| IdiomsSupers::Spread.new(value, 1).text }
  end

  # ['x']
  newparam(:of_resource) do
    munge { |value| IdiomsSupers::OfResource.new(resource, value).text }
  end

  newparam(:name, namevar: true)
end
