# What Puppet's library defines for types, attributes and providers, as far as loading a file reads it. Words that only declare something
# are methods of the embedder; `__declare` is one, too,
# and `__class`, which returns the second class if the first value is none or not known.
module Puppet
  PUPPETVERSION = '7.23.0'.freeze

  def self.version
    PUPPETVERSION
  end

  module Util
    module Package
      # Compares versions part by part: numbers by value, and other parts as texts.
      def versioncmp(one, two, *)
        parts = [one, two].map { |version| version.to_s.scan(/[-.]|\d+|[^-.\d]+/) }
        parts.first.zip(parts.last).each do |a, b|
          return 1 if b.nil?
          next if a == b
          return -1 if a == '-' || b == '.' && a != '-'
          return 1 if b == '-' || a == '.'
          both = [a, b].all? { |part| part.match?(/\A[1-9]\d*\z|\A0\z/) }
          return both ? a.to_i <=> b.to_i : a.upcase <=> b.upcase
        end
        parts.first.size <=> parts.last.size
      end
      module_function :versioncmp
    end
  end

  class Error < RuntimeError
    def initialize(message = nil, *rest)
      super(message)
    end
  end

  class DevError < Error
  end

  class ResourceError < Error
  end

  class ParseError < Error
  end

  class ExecutionFailure < Error
  end

  class MissingCommand < Error
  end

  class Parameter
    class << self
      attr_reader :name

      def inherited(child)
        super
      end
    end

    class Boolean < Parameter
    end

    class Path < Parameter
    end

    class PackageOptions < Parameter
    end
  end

  class Property < Parameter
    class Boolean < Property
    end

    class Ensure < Property
    end

    class List < Property
    end

    class OrderedList < List
    end

    class KeyValue < Property
    end
  end

  PUPPETVERSION = '7.23.0'

  def self.version
    PUPPETVERSION
  end

  def self.features
    FeatureSet
  end

  # Declarations for providers whose superclass is not known.
  module ProviderWords
  end

  class Provider
    class << self
      attr_reader :name, :resource_type
    end

    class ParsedFile < Provider
      class << self
        attr_accessor :default_target, :target, :default_mode, :line_separator, :trailing_separator
      end

      def create; end

      def destroy; end

      def exists?; end

      def flush; end

      def record_type; end

      def mark_target_modified; end
    end

    class Package < Provider
      def flush; end

      def properties; end

      def validate_source; end

      def join_options; end
    end
  end

  class Type
    class File < Type
      class Owner < Property
      end

      class Group < Property
      end

      class Mode < Property
      end
    end

    class << self
      attr_reader :name

      def newtype(name, options = {}, &block)
        name = name.to_s.downcase.to_sym
        made = Class.new(Puppet::Type)
        Puppet::Type.const_set(__constant(name), made)
        made.instance_variable_set(:@name, name)
        made.instance_variable_set(:@__attributes, {})
        __types[name] = made
        __declare(:newtype, name, options, made)
        made.class_eval(&block) if block
        made
      end

      def newparam(name, options = {}, &block)
        __attribute(:newparam, name, options, __class(options[:parent], Puppet::Parameter), block)
      end

      def newproperty(name, options = {}, &block)
        __attribute(:newproperty, name, options, __class(options[:parent], Puppet::Property), block)
      end

      def ensurable(&block)
        __attribute(:ensurable, :ensure, {}, Puppet::Property::Ensure, block)
      end

      # Finds a type, which its file may declare.
      def type(name)
        return __unknown unless __known?(name)

        name = name.to_s.downcase.to_sym
        __types[name] || __load("puppet/type/#{name}", __types, name) || __library(name)
      end

      def provide(name, options = {}, &block)
        made = Class.new(__parent(options[:parent]))
        made.extend(Puppet::ProviderWords) unless made.ancestors.include?(Puppet::Provider)
        made.instance_variable_set(:@name, name.to_sym)
        made.instance_variable_set(:@resource_type, self)
        const_set("Provider#{__constant(name)}", made)
        __providers[name.to_sym] = made
        __declare(:provide, name, options, made, &block)
        branches = __open_branches
        made.class_eval(&block) if block
        made.__leaves_early unless __open_branches == branches
        made
      end

      # Finds a provider, which its file may declare.
      def provider(name)
        return __unknown unless __known?(name)

        name = name.to_sym
        __providers[name] || __load("puppet/provider/#{@name}/#{name}", __providers, name) || __library_provider(name)
      end

      def __types
        Puppet::Type.instance_variable_get(:@types) || Puppet::Type.instance_variable_set(:@types, {})
      end

      def __providers
        @__providers ||= {}
      end

      # A type of Puppet itself.
      def __library(name)
        return __unknown unless __standard?(name)

        __types[name] = Class.new(Puppet::Type)
        __types[name].instance_variable_set(:@name, name)
        __types[name].instance_variable_set(:@__is_library, true)
        __types[name]
      end

      def __library_provider(name)
        return __unknown unless @__is_library

        made = Class.new(Puppet::Provider)
        made.instance_variable_set(:@name, name)
        made.instance_variable_set(:@resource_type, self)
        __providers[name] = made
      end

      def attrclass(name)
        @__is_library ? __unknown : @__attributes[name.to_sym]
      end

      def validattr?(name)
        @__is_library ? __unknown : @__attributes.key?(name.to_sym)
      end

      private

      def __attribute(word, name, options, parent, block)
        name = name.to_s.downcase.to_sym unless name.is_a?(Symbol)
        made = Class.new(parent)
        made.instance_variable_set(:@name, name)
        @__attributes[name] = made
        const_set(word == :newparam ? "Parameter#{__constant(name)}" : __constant(name), made)
        __declare(word, name, options, made)
        made.class_eval(&block) if block
        made
      end

      def __constant(name)
        name.to_s.capitalize
      end
    end
  end
end

# Paths, of which only the text is known. All other methods need the machine.
class File
  SEPARATOR = '/'.freeze

  class << self
    def join(*parts)
      parts.flatten.map { |part| part.to_s }.join('/').gsub(%r{/+}, '/')
    end

    def dirname(path)
      path = path.to_s.sub(%r{/+\z}, '')
      cut = path.rindex('/')
      return '.' if cut.nil?
      cut.zero? ? '/' : path[0...cut]
    end

    def basename(path, suffix = '')
      name = path.to_s.split('/').last.to_s
      return name.sub(/(?<=.)\.[^.]*\z/, '') if suffix == '.*'
      name.end_with?(suffix) && name != suffix ? name[0, name.length - suffix.length] : name
    end

    def extname(path)
      path.to_s.split('/').last.to_s[/(?<=.)\.[^.]+\z/].to_s
    end

    def expand_path(path, base = nil)
      path = join(expand_path(base), path) if base && !path.to_s.start_with?('/')
      found = []
      path.to_s.split('/').each do |part|
        part == '..' ? found.pop : found.push(part) unless part.empty? || part == '.'
      end
      (path.to_s.start_with?('/') ? '/' : '') + found.join('/')
    end
  end
end

# The patterns of addresses.
class Resolv
  class IPv4
    Regex = /\A(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\z/
  end

  class IPv6
    Regex = /\A(?:(?:\h{1,4}:){7}\h{1,4}|((?:\h{1,4}(?::\h{1,4})*)?)::((?:\h{1,4}(?::\h{1,4})*)?)|((?:\h{1,4}:){6})(\d+)\.(\d+)\.(\d+)\.(\d+)|((?:\h{1,4}(?::\h{1,4})*)?)::((?:\h{1,4}:)*)(\d+)\.(\d+)\.(\d+)\.(\d+)|[Ff][Ee]80(?::\h{1,4}){7}%[0-9A-Za-z\-]+|[Ff][Ee]80:(?:((?:\h{1,4}(?::\h{1,4})*)?)::((?:\h{1,4}(?::\h{1,4})*)?)|:((?:\h{1,4}(?::\h{1,4})*)?))?:\h{1,4}%[0-9A-Za-z.\-]+)\z/
  end
end
