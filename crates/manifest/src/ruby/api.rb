# The parts of Puppet that functions and templates in Ruby use. `RtypeHost` is the evaluator.
class RtypeHost
  # Functions of the 4.x API by name.
  def self.functions
    @functions ||= {}
  end

  def self.scope
    @scope
  end

  # Variables that code sets are seen by the code and the templates inside of it.
  def self.begin_call
    @scope = Puppet::Parser::Scope.new
  end

  # Facts that modules define are not known.
  def self.guard_facts(facts, names)
    facts.default_proc = proc do |_, name|
      __unsupported("the fact `#{name}`, which a module defines", name) if names.include?(name)
      nil
    end
    facts
  end

  def self.lambda_proc(number)
    proc { |*arguments| RtypeHost.call_lambda(number, arguments) }
  end

  def self.run4(name, method, scoped, arguments, number)
    arguments = [scope] + arguments if scoped
    function = functions[name].__instance
    return function.__send__(method, *arguments) if number.nil?
    function.__send__(method, *arguments, &lambda_proc(number))
  end

  def self.run3(name, arguments)
    scope.__send__("real_function_#{name}", arguments)
  end
end

# A value of Puppet that Ruby code can only print, compare and hand on.
class RtypeOpaque
  attr_reader :__handle

  def initialize(handle)
    @__handle = handle
  end

  def to_s
    RtypeHost.opaque_text(@__handle)
  end

  def ==(other)
    other.is_a?(RtypeOpaque) && RtypeHost.opaque_equal(@__handle, other.__handle)
  end

  def inspect
    __unsupported('`inspect` of this value of Puppet', self)
  end

  def hash
    __unsupported('`hash` of this value of Puppet', self)
  end

  def method_missing(name, *arguments)
    __unsupported("the method `#{name}` of this value of Puppet", self)
  end

  def respond_to_missing?(name, all = false)
    __unsupported('`respond_to?` of this value of Puppet', self)
  end
end

module Puppet
  class Error < RuntimeError
    attr_accessor :original

    def initialize(message = nil, original = nil)
      super(message)
      @original = original
    end
  end

  class ParseError < Error
    def initialize(message = nil, file = nil, line = nil, position = nil, original = nil)
      __unsupported('an error with a place', file) if file || line || position
      super(message, original)
    end
  end

  class DevError < Error; end
  class ArgumentError < Error; end
  class MissingCommand < Error; end

  %w[debug info notice warning err alert crit emerg].each do |level|
    define_singleton_method(level) { |*text| RtypeHost.log(level, text.join(' ')) }
  end

  def self.deprecation_warning(message, key = nil)
    RtypeHost.log('warning', message.to_s)
  end

  def self.warn_once(kind, key, message, *place)
    RtypeHost.log('warning', message.to_s)
  end

  def self.[](name)
    RtypeHost.setting(name.to_s)
  end

  def self.version
    '7.23.0'
  end

  module Util
    def self.absolute_path?(path, platform = nil)
      __unsupported('`absolute_path?` for another platform', path) if platform && platform != :posix
      path.start_with?('/')
    end

    module Package
      def self.versioncmp(a, b, *rest)
        __unsupported('`versioncmp` with options', a) unless rest.empty?
        RtypeHost.call('versioncmp', [a, b])
      end

      def versioncmp(a, b, *rest)
        Puppet::Util::Package.versioncmp(a, b, *rest)
      end
    end
  end

  module Pops
    module Types
      module PSensitiveType
        class Sensitive
          def initialize(value)
            @value = value
          end

          def unwrap
            @value
          end

          def to_s
            'Sensitive [value redacted]'
          end

          def inspect
            '#<Sensitive [value redacted]>'
          end

          def ==(other)
            other.is_a?(Sensitive) && other.unwrap == @value
          end
        end
      end
    end
  end

  module Parser
    class Scope
      def lookupvar(name, options = {})
        unless name.is_a?(String)
          raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string"
        end
        name = name[2..-1] if name.start_with?('::') && @set.key?(name[2..-1])
        return @set[name] if @set.key?(name)
        RtypeHost.lookup(name)
      end

      def initialize
        @set = {}
      end

      def __set
        @set
      end

      def setvar(name, value, *options)
        __unsupported('`setvar` with options', value) unless name.is_a?(String) && options.empty?
        raise Puppet::ParseError, "Cannot reassign variable '$#{name}'" if @set.key?(name)
        RtypeHost.settable(name)
        @set[name] = value
      end

      def []=(name, value)
        setvar(name, value)
      end

      def [](name, options = {})
        lookupvar(name, options)
      end

      def include?(name)
        return !@set[name.to_s].nil? if @set.key?(name.to_s)
        RtypeHost.has(name.to_s)
      end

      alias exist? include?

      def call_function(name, arguments, &block)
        __unsupported('a block in Ruby for `call_function`', arguments) if block
        RtypeHost.call(name.to_s, [*arguments])
      end

      def closure_scope
        self
      end

      %w[debug info notice warning err alert crit emerg].each do |level|
        define_method(level) { |*text| RtypeHost.log(level, text.join(' ')) }
      end

      def __function(name, arguments)
        unless arguments.length == 1 && arguments[0].is_a?(Array)
          raise ::ArgumentError, 'custom functions must be called with a single array that contains the arguments. ' \
                                 'For example, function_example([1]) instead of function_example(1)'
        end
        RtypeHost.legacy_call(name, arguments[0])
      end

      def method_missing(name, *arguments)
        word = name.to_s
        return __function(word[9..-1], arguments) if word.start_with?('function_')
        __unsupported("the method `#{name}` of scopes", self)
      end

      def respond_to?(name, all = false)
        word = name.to_s
        return RtypeHost.legacy(word[9..-1]) if word.start_with?('function_')
        super
      end
    end

    module Functions
      def self.newfunction(name, options = {}, &block)
        Puppet::Parser::Scope.__send__(:define_method, "real_function_#{name}", &block)
        RtypeHost.define3(name.to_s, (options[:type] || :statement).to_s, options[:arity])
      end

      def self.function(name, environment = nil)
        RtypeHost.legacy(name.to_s) && "function_#{name}"
      end

      def self.autoloader
        self
      end

      def self.loadall(environment = nil)
        nil
      end

      def self.load(name, environment = nil)
        function(name)
      end
    end

    class TemplateWrapper
      attr_reader :scope

      def initialize(scope, file)
        @__scope = @scope = scope
        @__file__ = file
        remove_instance_variable(:@scope)
      end

      def scope
        @__scope
      end

      def file
        @__file__
      end

      def has_variable?(name)
        scope.include?(name.to_s)
      end

      def to_s
        "template[#{@__file__ || 'inline'}]"
      end

      def tags
        raise NotImplementedError, "Call 'all_tags' instead."
      end

      %w[debug info notice warning err alert crit emerg].each do |level|
        define_method(level) { |*text| RtypeHost.log(level, text.join(' ')) }
      end

      %w[classes all_tags binding instance_variables withenv execpipe execute path_to_uri uri_to_path uri_unescape uri_encode
         symbolizehash thinmark benchmark which memory exit_on_fail deterministic_rand absolute_path? get_env set_env
         replace_file safe_posix_fork].each do |name|
        define_method(name) { |*arguments| __unsupported("the method `#{name}` of templates", self) }
      end
    end
  end

  module Functions
    class Function
      def self.dispatch(method, &block)
        builder = DispatchBuilder.new(method.to_s, self <= InternalFunction)
        builder.instance_eval(&block)
        __dispatches << builder.__result
      end

      def self.argument_mismatch(method, &block)
        __unsupported('`argument_mismatch`', self)
      end

      def self.local_types(&block)
        __unsupported('`local_types`', self)
      end

      def self.__dispatches
        @dispatches ||= []
      end

      def self.__instance
        @instance ||= new
      end

      def call_function(name, *arguments, &block)
        __unsupported('a block in Ruby for `call_function`', arguments) if block
        RtypeHost.call(name.to_s, arguments)
      end

      def closure_scope
        RtypeHost.scope
      end
    end

    class InternalFunction < Function
    end

    class DispatchBuilder
      def initialize(method, internal)
        @method = method
        @internal = internal
        @parameters = []
        @block = nil
        @returns = nil
        @scoped = false
      end

      def param(type, name)
        __add('', type, name)
      end

      alias required_param param

      def optional_param(type, name)
        __add('?', type, name)
      end

      def repeated_param(type, name)
        __add('*', type, name)
      end

      alias optional_repeated_param repeated_param

      def required_repeated_param(type, name)
        __add('+', type, name)
      end

      def block_param(*given)
        __block(false, given)
      end

      alias required_block_param block_param

      def optional_block_param(*given)
        __block(true, given)
      end

      def return_type(type)
        @returns = type.to_s
      end

      def scope_param
        __unsupported('`scope_param` after another parameter', self) unless @parameters.empty?
        @scoped = true
      end

      def method_missing(name, *arguments)
        __unsupported("`#{name}` in a dispatch", self)
      end

      def __add(kind, type, name)
        @parameters << [kind, type.to_s, name.to_s]
      end

      def __block(optional, given)
        type, name = 'Callable', 'block'
        given.each { |part| part.is_a?(Symbol) ? name = part.to_s : type = part.to_s }
        @block = [optional, type, name]
      end

      def __result
        [@method, @parameters, @block, @returns, @scoped]
      end
    end

    def self.create_function(name, base = Function, &block)
      made = Class.new(base)
      made.class_eval(&block)
      name = name.to_s
      simple = name.split('::').last
      dispatches = made.__dispatches
      dispatches = [[simple, __parameters(made, simple), nil, nil, false]] if dispatches.empty?
      RtypeHost.functions[name] = made
      RtypeHost.define4(name, dispatches)
    end

    def self.create_loaded_function(name, loader, base = Function, &block)
      create_function(name, base, &block)
    end

    def self.__parameters(made, simple)
      method = made.instance_method(simple)
      kinds = { req: '', opt: '?', rest: '*' }
      found = method.parameters.reject { |kind, _| kind == :block }
      found.map { |kind, name| [kinds[kind] || __unsupported('keywords of functions', made), 'Any', name.to_s] }
    end
  end
end

module Digest
  # The bytes of a digest, in hexadecimal digits.
  class RtypeBytes
    attr_reader :hex

    def initialize(hex)
      @hex = hex
    end

    def unpack1(format)
      return @hex if format == 'H*'
      __unsupported('`unpack1` of a digest', self)
    end

    def to_s
      __unsupported('the bytes of a digest as a text', self)
    end
  end

  { 'MD5' => 'md5', 'SHA1' => 'sha1', 'SHA256' => 'sha256', 'SHA384' => 'sha384', 'SHA512' => 'sha512' }.each do |name, kind|
    made = ::Class.new
    made.define_singleton_method(:hexdigest) do |data|
      data.is_a?(RtypeBytes) ? RtypeHost.digest(kind, data.hex, true) : RtypeHost.digest(kind, data, false)
    end
    made.define_singleton_method(:digest) { |data| RtypeBytes.new(hexdigest(data)) }
    const_set(name, made)
  end
end

Object.__send__(:remove_const, :IPAddr)

class IPAddr
  class Error < ::ArgumentError; end
  class InvalidAddressError < Error; end
  class AddressFamilyError < Error; end
  class InvalidPrefixError < InvalidAddressError; end

  def initialize(text = '::', family = nil)
    __unsupported('the address family', self) if family
    found = RtypeHost.address(text)
    raise InvalidAddressError, "invalid address: #{text}" unless found
    @version, @text = found
  end

  def ipv4?
    @version == 4
  end

  def ipv6?
    @version == 6
  end

  def to_s
    @text || __unsupported('the address of a network', self)
  end
end

# Parts of libraries whose other methods are not known.
%i[CGI URI ERB JSON Psych Base64 OpenSSL Shellwords SecureRandom Time Date DateTime Etc Socket Process Net Open3 FileUtils Dir File IO
   Pathname Zlib Random Marshal Timeout RbConfig Benchmark CSV BigDecimal Resolv REXML].each do |name|
  next unless Object.const_defined?(name)

  Object.const_get(name).define_singleton_method(:method_missing) do |method, *arguments|
    __unsupported("the method `#{method}` of `#{name}`", *arguments)
  end
end

class CGI
  def self.escape(text)
    RtypeHost.form_encoded(text)
  end
end

module URI
  class RtypeParsed
    attr_reader :path

    def initialize(path)
      @path = path
    end

    def method_missing(name, *arguments)
      __unsupported("the method `#{name}` of an URI", self)
    end
  end

  def self.parse(text)
    found = %r{\A(?:https?|puppet)://[A-Za-z0-9.:-]*(/[A-Za-z0-9._~!$&'()*+,;=:@/-]*)?(?:\?[A-Za-z0-9._~!$&'()*+,;=:@/?-]*)?\z}.match(text)
    return RtypeParsed.new(found[1] || '') if found
    __unsupported('an URI of this form', text)
  end
end

module JSON
  def self.generate(value, *options)
    __unsupported('options of `JSON.generate`', value) unless options.empty?
    RtypeHost.native('to_json', [value])
  end

  def self.pretty_generate(value, *options)
    __unsupported('options of `JSON.pretty_generate`', value) unless options.empty?
    RtypeHost.native('to_json_pretty', [value]).chomp
  end

  def self.dump(value)
    generate(value)
  end

  def self.parse(text, *options)
    __unsupported('options of `JSON.parse`', text) unless options.empty?
    RtypeHost.native('parsejson', [text])
  end
end

[Object, Hash, Array, String, Integer, Float, NilClass, TrueClass, FalseClass].each do |made|
  made.__send__(:define_method, :to_json) do |*options|
    __unsupported('options of `to_json`', self) unless options.empty?
    RtypeHost.native('to_json', [self])
  end
  made.__send__(:define_method, :to_yaml) do |*options|
    __unsupported('options of `to_yaml`', self) unless options.empty?
    RtypeHost.native('to_yaml', [self])
  end
end
