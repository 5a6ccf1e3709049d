# frozen_string_literal: true

# Runs providers of Puppet for rtype: `rtype-provider/1.1` on standard input and output (docs/providers.md).
# One process serves all types of a run. The real types and providers are used, in the way of Puppet's resource harness.

# Gems in a home directory may be those of another user: `sudo` can keep HOME. Ruby starts without gems (`--disable-gems`).
require 'rubygems'
Gem.paths = { 'GEM_HOME' => Gem.default_dir, 'GEM_PATH' => (Gem.default_path - [Gem.user_dir]).join(File::PATH_SEPARATOR) }

require 'json'

# Providers and the programs that they start may print and read: they get neither the requests nor the answers.
REQUESTS = $stdin.dup
ANSWERS = $stdout.dup
[REQUESTS, ANSWERS].each do |stream|
  stream.close_on_exec = true
  stream.set_encoding('UTF-8')
end
$stdin.reopen(File::NULL)
$stdout.reopen($stderr)
ANSWERS.sync = $stderr.sync = true

# An error with one of the kinds of the protocol.
class Refused < StandardError
  attr_reader :kind

  def initialize(kind, message)
    super(message)
    @kind = kind
  end
end

# Not a StandardError: providers must not rescue it.
class OutOfTime < Exception; end # rubocop:disable Lint/InheritException

# What a provider may raise that must fail one resource only. `exit` raises SystemExit.
FAILURES = [StandardError, ScriptError, SystemExit, SystemStackError, NoMemoryError, OutOfTime].freeze

# The processes below this one. Puppet starts programs in sessions of their own, so that a signal to the process group misses them.
module Descendants
  PR_SET_CHILD_SUBREAPER = 36

  # Orphans become children of this process, and are found later.
  def self.adopt
    require 'fiddle'
    types = [Fiddle::TYPE_INT] + [Fiddle::TYPE_LONG] * 4
    Fiddle::Function.new(Fiddle::Handle::DEFAULT['prctl'], types, Fiddle::TYPE_INT).call(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
  rescue LoadError, StandardError
    nil
  end

  def self.all
    children = Hash.new { |hash, key| hash[key] = [] }
    Dir.glob('/proc/[0-9]*/stat').each do |file|
      stat = File.binread(file)
      children[stat[/.*\) \S (\d+)/mn, 1].to_i] << stat.to_i
    rescue SystemCallError
      next
    end
    found = []
    open = [Process.pid]
    while (parent = open.pop)
      found.concat(children[parent])
      open.concat(children[parent])
    end
    found
  end

  def self.kill
    3.times do
      pids = all
      break if pids.empty?

      pids.each { |pid| signal(pid) }
      reap
    end
  end

  def self.signal(pid)
    Process.kill(:KILL, pid)
  rescue SystemCallError
    nil
  end

  def self.reap
    nil while Process.waitpid(-1, Process::WNOHANG)
  rescue SystemCallError
    nil
  end
end

# Conversion between Ruby and JSON.
module Wire
  def self.text(string)
    text = string.dup.force_encoding('UTF-8')
    text.valid_encoding? ? text : text.scrub
  end

  def self.value(value)
    case value
    when nil, :undef, true, false, Integer, Float then value == :undef ? nil : value
    when String then text(value)
    when Array then value.map { |item| value(item) }
    when Hash then value.to_h { |key, item| [text(key.to_s), value(item)] }
    when Puppet::Pops::Types::PSensitiveType::Sensitive then value(value.unwrap)
    else text(value.to_s)
    end
  end

  # Bytes that are no text become a Binary, as they are in catalogs.
  def self.clean(value)
    case value
    when String
      text = value.dup.force_encoding('UTF-8')
      text.valid_encoding? ? text : Puppet::Pops::Types::PBinaryType::Binary.new(value)
    when Array then value.map { |item| clean(item) }
    when Hash then value.to_h { |key, item| [key, clean(item)] }
    when Puppet::Pops::Types::PSensitiveType::Sensitive then value.class.new(clean(value.unwrap))
    else value
    end
  end

  def self.kind(error)
    case error
    when Refused then error.kind
    when OutOfTime then 'timeout'
    when Errno::EACCES, Errno::EPERM then 'forbidden'
    else 'failed'
    end
  end

  def self.error(error)
    message = error.is_a?(SystemExit) ? "the provider called `exit` (#{error.status})" : error.message.to_s
    message = error.class.name if message.empty?
    message = missing_method(error) || message
    log(error)
    { kind: kind(error), msg: text(message) }
  end

  # Ruby names the object, whose name is that of its resource, which precedes the message anyway.
  def self.missing_method(error)
    return unless error.instance_of?(NoMethodError) && error.receiver.is_a?(Puppet::Provider)

    "the provider `#{error.receiver.class.name}` has no method `#{error.name}`"
  rescue ArgumentError
    nil
  end

  def self.log(error)
    return unless ENV['RTYPE_LOG'] == 'debug'

    $stderr.puts JSON.generate(level: 'debug', msg: text([error.class, error.message, *(error.backtrace || []).first(8)].join("\n")))
  end
end

# Loads the library and the modules.
module Library
  def self.load(settings)
    require 'puppet'
    Puppet::Type.singleton_class.prepend(FailedTypes)
    Puppet::Type.prepend(FileDecides)
    Module.prepend(LibraryConstants)
    directories = %w[confdir codedir vardir logdir rundir statedir].to_h { |name| [name, File.join(settings.fetch('directory'), name)] }
    directories.each_value { |path| Dir.mkdir(path, 0o700) unless File.directory?(path) }
    arguments = directories.flat_map { |name, path| ["--#{name}", path] }
    Puppet.initialize_settings(arguments, false, false)
    log_to_standard_error
    modulepath = settings.fetch('modulepath')
    environment = Puppet::Node::Environment.create(:rtype, modulepath)
    libraries = settings.fetch('libraries')
    # A server sends the libraries of its modules as one directory, without the names of the modules.
    synced = libraries.reject { |path| File.file?(File.join(path, '..', 'metadata.json')) }.last
    Puppet[:libdir] = synced if synced
    libraries.reverse_each { |path| $LOAD_PATH.unshift(path) unless $LOAD_PATH.include?(path) }
    Puppet.push_context(Puppet.base_context(Puppet.settings), 'rtype')
    Puppet.push_context({ current_environment: environment }, 'rtype')
    Puppet.push_context({ loaders: Puppet::Pops::Loaders.new(environment, true) }, 'rtype')
    Puppet.runtime[:facter].search(*libraries.map { |path| File.join(path, 'facter') }.select { |path| File.directory?(path) })
    require 'puppet/resource/catalog'
    DeclaredResources.of(environment)
  end

  def self.log_to_standard_error
    Puppet::Util::Log.level = ENV['RTYPE_LOG'] == 'debug' ? :debug : :info
    Puppet::Util::Log.newdesttype(:rtype) do
      match 'rtype'
      define_method(:handle) do |message|
        level = { debug: 'debug', info: 'info', notice: 'notice', warning: 'warning' }.fetch(message.level, 'error')
        source = message.source == 'Puppet' ? '' : "#{message.source}: "
        $stderr.puts JSON.generate(level: level, msg: Wire.text("#{source}#{message}"))
      end
    end
    Puppet::Util::Log.newdestination('rtype')
  end
end

# Loads files of Puppet's and Ruby's libraries when their constants are used. A Puppet agent loads the core types and their libraries before
# the types of modules, so modules use them without `require`. Loading all of them here would take longer than most runs.
module LibraryConstants
  RUBY = RbConfig::CONFIG.fetch('rubylibdir')

  # Returns the directory of Puppet's library.
  def self.puppet
    @puppet ||= File.dirname($LOADED_FEATURES.find { |file| file.end_with?('/puppet.rb') })
  end

  def const_missing(name)
    # Parameters and providers of Puppet define `name` for their own names.
    namespace = Module.instance_method(:name).bind(self).call
    LibraryConstants.files(namespace.to_s, name.to_s).each do |path, owner|
      require path
      return owner.const_get(name, false) if owner.const_defined?(name, false)
    end
    super
  end

  # Returns the files that may define a constant, each with the namespace of the constant.
  def self.files(namespace, name)
    found = []
    if namespace.match?(/\APuppet(::|\z)/)
      *directories, file = [*namespace.split('::'), name].map { |part| part.delete('_').downcase }
      parents = directories.inject([puppet]) { |paths, part| paths.flat_map { |path| entries(path, part) } }
      found = parents.flat_map { |path| entries(path, "#{file}.rb") + files_below(path, file) }.map { |path| [path, Object.const_get(namespace)] }
    end
    found << [File.join(RUBY, "#{name.downcase}.rb"), Object]
    found.select { |path, _| File.file?(path) }
  end

  # Returns the files of a directory: each may define the namespace that the directory is named for.
  def self.files_below(directory, name)
    entries(directory, name).flat_map { |path| Dir["#{path}/*.rb"].sort }
  end

  # Finds names in a directory, with or without underscores: `nameservice/pw.rb` defines `NameService::PW`.
  def self.entries(directory, name)
    @entries ||= {}
    @entries[directory] ||= File.directory?(directory) ? Dir.children(directory).sort : []
    @entries[directory].select { |entry| entry.delete('_').downcase == name }.map { |entry| File.join(directory, entry) }
  end
end

# Gives resources the values of their type files where the blocks of the Ruby type give other ones. A file that is edited after the import
# decides, and the difference is reported. Blocks that are not translated have no values in the file: the Ruby type decides.
module FileDecides
  REDACTED = '[redacted]'

  # The differences that no answer has named yet.
  def self.differences
    @differences ||= []
  end

  # Creates the resource of a declaration with these values. A type that replaces `initialize` may set values in the end: then all of its
  # own values are compared.
  def self.create(raw, checked)
    raw.instance_variable_set(:@rtype_checked, checked) if checked
    made = raw.to_ral
    made.send(:take_values, checked) if checked && sets_values_later?(made)
    made
  end

  def self.sets_values_later?(resource)
    ![FileDecides, Puppet::Type].include?(resource.class.instance_method(:initialize).owner)
  end

  def self.note(resource, attribute, difference)
    differences << { resource: resource.ref, attribute: attribute&.to_s, **difference }
  end

  def self.shown(value, secret)
    return 'no value' if normal(value).nil?

    secret ? REDACTED : JSON.generate(Wire.value(value))
  end

  # Ruby and JSON have different forms of the same value. A list with one element is a single value.
  def self.normal(value)
    case value
    when nil, :undef then nil
    when Array then value.size == 1 ? normal(value.first) : value.map { |item| normal(item) }
    when Hash then value.to_h { |key, item| [key.to_s, normal(item)] }
    when Puppet::Pops::Types::PSensitiveType::Sensitive then normal(value.unwrap)
    else Wire.text(value.to_s)
    end
  end

  # Objects that only Ruby has are not compared.
  def self.plain?(value)
    case value
    when nil, true, false, Integer, Float, String, Symbol then true
    when Array then value.all? { |item| plain?(item) }
    when Hash then value.all? { |key, item| plain?(key) && plain?(item) }
    else value.is_a?(Puppet::Pops::Types::PSensitiveType::Sensitive) && plain?(value.unwrap)
    end
  end

  def initialize(resource)
    @rtype_checked = resource.instance_variable_get(:@rtype_checked)
    super
  ensure
    @rtype_checked = nil
  end

  def []=(name, value)
    super
  rescue Puppet::Error, ArgumentError => e
    raise unless accepted_by_file(name.to_sym, e)
  end

  def set_default(name)
    super
  rescue Puppet::Error, ArgumentError => e
    raise unless accepted_by_file(name.to_sym, e)
  end

  private

  def set_parameters(hash)
    super
    take_values(@rtype_checked) if @rtype_checked && !FileDecides.sets_values_later?(self)
  end

  def take_values(checked)
    checked.fetch('attributes', {}).each { |name, value| take_value(name.to_sym, value) }
  end

  def validate_resource
    super
  rescue Puppet::Error, ArgumentError => e
    raise unless @rtype_checked && @rtype_checked['validated']

    FileDecides.note(self, nil, refusal: Wire.text(e.message))
  end

  # Sets a value that the Ruby type refuses, if the rules of the type file accept it.
  def accepted_by_file(name, error)
    checked = @rtype_checked && @rtype_checked['attributes'][name.to_s]
    attribute = @parameters[name]
    return false unless checked && checked['rules'] && attribute && stores_plainly?(attribute)

    why = checked['secret'] ? FileDecides::REDACTED : Wire.text(error.message)
    FileDecides.note(self, name, refusal: why)
    store(attribute, file_value(checked))
    true
  end

  def take_value(name, checked)
    attribute = @parameters[name]
    value = file_value(checked)
    if attribute.nil?
      # The provider lacks a feature for an attribute that is declared and not here.
      return if value.nil? || @original_parameters.key?(name)

      attribute = newattr(name) or return
    end
    found = attribute.is_a?(Puppet::Property) ? attribute.instance_variable_get(:@should) : attribute.instance_variable_get(:@value)
    return if !stores_plainly?(attribute) || !FileDecides.plain?(found) || FileDecides.normal(found) == FileDecides.normal(value)

    found = found.first if found.is_a?(Array) && found.size == 1
    FileDecides.note(self, name, ruby: FileDecides.shown(found, checked['secret']), file: FileDecides.shown(value, checked['secret']))
    value.nil? ? delete(name) : store(attribute, value)
  end

  def file_value(checked)
    Puppet::Pops::Serialization::FromDataConverter.convert(checked['value'])
  end

  def store(attribute, value)
    return attribute.instance_variable_set(:@value, value) unless attribute.is_a?(Puppet::Property)

    attribute.instance_variable_set(:@should, value.is_a?(Array) ? value : [value])
  end

  # Where a type sets values in its own way, as those of the Resource API do, their form is not known.
  def stores_plainly?(attribute)
    owners = [attribute.method(:value=).owner]
    owners << attribute.method(:should=).owner if attribute.is_a?(Puppet::Property)
    (owners - [Puppet::Parameter, Puppet::Property]).empty?
  end
end

# Remembers why types cannot be loaded. Puppet registers a type before it loads the providers, so it would use the incomplete type afterwards.
module FailedTypes
  def type(name)
    @failures ||= {}
    key = name.to_s.downcase
    raise @failures[key] if @failures.key?(key)

    super
  rescue *FAILURES => e
    @failures[key] = e
    raise
  end
end

# Methods that Puppet calls in each run, and this program does not. The walk in `tests/host/run` finds them.
module Uncalled
  OF_TYPES = %i[appliable_to_device? appliable_to_host? autobefore autonotify autorelation autorequire autosubscribe builddepends catalog
                deleting? depthfirst? eachparameter isomorphic? merge_into noop? parameter parameters_with_value parent present? purging?
                self_refresh? suitable? tags type uniqueness_key virtual?].freeze
  OF_CLASSES = %i[apply_to can_apply_to eachautobefore eachautonotify eachautorequire eachautosubscribe isomorphic? paramclass
                  relationship_params].freeze
  OF_ATTRIBUTES = %i[event event_name idempotent? noop resource unmunge unsafe_unmunge value].freeze
  OF_ATTRIBUTE_CLASSES = %i[idempotent].freeze

  # Refuses a type that replaces one of them: what Puppet does then is not done here.
  def self.check(type)
    attributes = type.properties + type.parameters.map { |name| type.paramclass(name) }
    name = replaced(type, OF_TYPES, OF_CLASSES) || attributes.lazy.filter_map { |one| replaced(one, OF_ATTRIBUTES, OF_ATTRIBUTE_CLASSES) }.first
    raise Refused.new('unsupported', "the type `#{type.name}` replaces the method `#{name}` of Puppet, which is not called here") if name
  end

  def self.replaced(type, of_objects, of_class)
    of_objects.find { |name| type.method_defined?(name) && foreign?(type.instance_method(name)) } ||
      of_class.find { |name| type.respond_to?(name) && foreign?(type.method(name)) }
  end

  # Returns whether a method is neither Puppet's nor that of the library for the Resource API.
  def self.foreign?(method)
    file, = method.source_location
    api = $LOADED_FEATURES.find { |loaded| loaded.end_with?('/puppet/resource_api.rb') }
    file && [LibraryConstants.puppet, api && File.dirname(api)].compact.none? { |directory| file.start_with?("#{directory}/") }
  end
end

# Adds resources of the run to a catalog when a provider looks at them: few do, and building one takes time. A provider may remove what is
# not in the catalog, so each resource is in it, or the provider fails.
module DeclaredResources
  def self.of(environment)
    Puppet::Resource::Catalog.new('rtype', environment).extend(self)
  end

  def declare(items)
    @declared = items.to_h do |item|
      type = item.fetch('type').split('::').map(&:capitalize).join('::')
      ["#{type}[#{item.fetch('title')}]", item]
    end
    @of_type = @declared.keys.group_by { |ref| ref[/\A[^\[]*/] }
    @looked_at = {}
    @taken = {}
    @unconfigured = {}
    @positions = @declared.keys.each_with_index.to_h
    @generators = @declared.select { |_, item| item['generates'] }.keys
  end

  # Some types of modules hold settings of providers of other types, and set them when Puppet asks for further resources.
  def configure
    of_modules = @declared.to_a.group_by { |_, item| item.fetch('type') }.select { |name, _| generates?(name) }
    of_modules.each_value do |items|
      items.each do |ref, _|
        resource(ref)&.generate
      rescue *FAILURES => e
        Wire.log(e)
        @unconfigured[module_of(items.first.last.fetch('type'))] ||= "#{ref} cannot configure the providers of its module: #{Wire.text(e.message)}"
      end
    end
  end

  # Fails if a resource of the same module holds settings that its providers did not get.
  def require_configured(type)
    reason = @unconfigured && !@unconfigured.empty? && @unconfigured[module_of(type.to_s)]
    raise Refused.new('failed', reason) if reason
  end

  def module_of(type)
    environment_instance.modulepath.flat_map { |path| Dir["#{path}/*/lib/puppet/type/#{type}.rb"] }.first&.delete_suffix("/lib/puppet/type/#{type}.rb")
  end

  def generates?(name)
    return false unless module_of(name)

    type = Puppet::Type.type(name)
    type && type.instance_method(:generate).owner == type
  rescue *FAILURES => e
    Wire.log(e)
    false
  end

  def resource(type, title = nil)
    found = super
    return found unless found.nil? || later?(found.ref)
    return if found || @declared.nil?

    ref = title.nil? ? type.to_s : Puppet::Resource.new(type, title).ref
    found = create(ref)
    found ||= super if create_named(ref[/\A[^\[]*/])
    require_generated unless found
    found
  end

  # Creates the resources of a type whose names may differ from their titles; returns whether there are any.
  def create_named(type)
    named = @of_type.fetch(type, []).select { |ref| @declared.key?(ref) && named?(@declared[ref]) }
    named.each { |ref| create(ref) }
    named.any?
  end

  def named?(item)
    type = Puppet::Type.type(item.fetch('type'))
    type && type.key_attributes.any? { |name| item.fetch('attributes').key?(name.to_s) || item['unknown']&.include?(name.to_s) }
  end

  def known?(made)
    @resource_table[title_key_for_ref(made.ref)].equal?(made)
  end

  %i[resources resource_keys vertices to_a size].each do |list|
    define_method(list) do |*arguments|
      create_all if @declared
      found = super(*arguments)
      next found unless @building

      # Keys have the forms of references.
      earlier = ->(one) { !later?(one.is_a?(Array) ? "#{one[0]}[#{one[1]}]" : one.ref) }
      found.is_a?(Array) ? found.select(&earlier) : resources.size
    end
  end

  # Creates the resource of a declaration. As in Puppet, its blocks find the catalog with the resources that are declared before, and the
  # blocks of a generated resource find no catalog.
  def to_ral_of(raw, item)
    outer = @building
    raw.catalog = self unless item['generated']
    @building = raw.ref
    FileDecides.create(raw, item['checked'])
  ensure
    @building = outer
  end

  # Returns whether a resource comes into the catalog later than the one that is being built.
  def later?(ref)
    building = @building && @positions && @positions[@building]
    building && @positions.fetch(ref, -1) >= building
  end

  def create_all
    @declared.keys.each { |ref| create(ref) }
    require_generated
  end

  # A resource that is not declared may be one that `generate` would create.
  def require_generated
    generator = @generators.first or return
    raise Refused.new('failed', "the provider looks at other resources, but those that #{generator} generates are not known")
  end

  # A resource of a provider that is used takes the place of the one that another provider looked at.
  def undeclare(made)
    item = @declared&.delete(made.ref)
    @taken[made.ref] = item if item
    known = @looked_at&.delete(made.ref)
    remove_resource(known) if known
  end

  # Without the resource of the provider, a resource as declared is in the catalog again.
  def forget(made)
    remove_resource(made) if known?(made)
    item = @taken&.delete(made.ref)
    @declared[made.ref] = item if item
  end

  def create(ref)
    return if later?(ref)

    item = @declared.delete(ref) or return
    begin
      build(item)
    rescue *FAILURES => e
      @declared[ref] = item
      Wire.log(e)
      raise Refused.new('failed', "the provider looks at #{ref}, which Ruby cannot create: #{Wire.text(e.message)}")
    end
  end

  def build(item)
    raise Refused.new('failed', item['unusable']) if item['unusable']

    unknown = item['unknown'] || []
    raise Refused.new('failed', "the value of `#{unknown.first}` is not known") unless unknown.empty?

    raw = Puppet::Resource.new(item.fetch('type'), item.fetch('title'))
    type = Puppet::Type.type(item.fetch('type'))
    item.fetch('attributes').each do |name, value|
      # Ruby code cannot look at an attribute that only the type file has.
      raw[name.to_sym] = value unless value.nil? || (type && !type.valid_parameter?(name.to_sym))
    end
    made = to_ral_of(raw, item)
    add_resource(made)
    made.finish
    @taken[made.ref] = item
    @looked_at[made.ref] = made
  end
end

# The resources of one type and provider.
class Group
  Member = Struct.new(:resource, :declared, :prefetched)

  attr_reader :type, :provider

  def initialize(type, provider, catalog)
    @type = type
    @provider = provider
    @catalog = catalog
    @members = {}
    @written = {}
    @unfetched = {}
  end

  # Returns why the provider does not work here.
  def unsuitable
    return if provider.nil? || provider.suitable?

    "the provider `#{provider.name}` is not suitable here: #{self.class.reasons(provider).join('; ')}"
  end

  # What a confine names, as far as Puppet reports it.
  def self.reasons(provider)
    return [] if provider.suitable?

    found = provider.suitable?(false).map do |test, values|
      case test
      when :exists then values.map { |path| "`#{path}` is missing" }
      when :feature then values.map { |name| "the feature `#{name}` is missing" }
      when :variable then values.map { |name, wanted| "`#{name}` is not #{wanted.join(' or ')}" }
      else ["a condition (#{test}) does not hold"]
      end
    end
    found.empty? ? ['a condition does not hold'] : found.flatten.map { |reason| Wire.text(reason) }
  end

  # Returns the resource of a request. What its provider knows is kept for as long as the declaration is the same.
  def resource(item)
    title = item.fetch('title')
    attributes = item.fetch('attributes').compact
    unknown = attributes.keys.find { |name| !type.valid_parameter?(name.to_sym) }
    raise Refused.new('unsupported', "the type `#{type.name}` has no attribute `#{unknown}` in Ruby") if unknown

    declared = [attributes, item['checked']]
    known = @members[title]
    return known.resource if known && known.declared == declared

    forget(title)
    made = make(item, attributes)
    @unfetched[title] = @members[title] = Member.new(made, declared, nil)
    made
  end

  def make(item, attributes)
    secrets = item['secrets'] || []
    raw = Puppet::Resource.new(type.name, item.fetch('title'))
    attributes.each { |name, value| raw[name.to_sym] = value }
    # Types of the Resource API expect wrapped secrets. Of other types, Puppet only warns about parameters, which are never shown.
    wrapped = type.respond_to?(:type_definition)
    raw.sensitive_parameters = secrets.map(&:to_sym).select { |name| wrapped || type.validproperty?(name) }
    raw[:provider] = provider.name if provider
    made = @catalog.to_ral_of(raw, item)
    @catalog.undeclare(made)
    begin
      @catalog.add_resource(made)
    rescue Puppet::Error
      # Another resource of the catalog has this title or name.
      made.catalog = @catalog
    end
    # Puppet calls it when the catalog is complete.
    made.finish
    made
  rescue Puppet::Error, ArgumentError => e
    raise Refused.new('invalid', e.message)
  end

  def forget(title)
    member = @members.delete(title) or return
    @unfetched.delete(title)
    @catalog.forget(member.resource)
    @written.delete(title)
  end

  # A provider believes what it has set, even if that failed: what was changed is read with new objects.
  def forget_written
    return if @written.empty?

    @written.each_key.to_a.each { |title| forget(title) }
    # The records of files, which each prefetch would add to.
    provider.clear if provider && provider.respond_to?(:clear) && provider <= Puppet::Provider::ParsedFile
  end

  def prefetch
    new = @unfetched.values
    return if new.empty?

    if provider.respond_to?(:prefetch)
      provider.prefetch(new.to_h { |member| [member.resource.name, member.resource] })
    end
    new.each { |member| member.prefetched = member.resource.provider || false }
    @unfetched.clear
  end

  # Providers keep what they read, such as a whole file: each request gets a copy of the provider as prefetching left it.
  def renew(title)
    member = @members.fetch(title)
    member.resource.provider = member.prefetched.clone if member.prefetched
    member.resource
  end

  def written(title)
    @written[title] = true
  end

  # Returns the attributes of a resource on the machine, or of all its properties.
  def state(resource, everything: false)
    item = type.key_attributes.to_h { |name| [name.to_s, Wire.value(resource[name])] }
    missing = everything ? type.properties.map(&:name).select { |name| supported?(name) && !resource.property(name) } : []
    missing.each { |name| resource.newattr(name) }
    current = resource.retrieve_resource.to_hash
    # As in Puppet, properties that the provider does not return are nil. `ensure` is nil only if it is declared.
    names = resource.properties.map(&:name)
    names |= [:ensure] if current.key?(:ensure)
    (names - (missing - current.keys)).each do |name|
      value = current[name]
      item[name.to_s] = name != :ensure && value == :absent ? nil : Wire.value(value)
    end
    # As in Puppet, only `ensure` is compared of what is not there.
    compared = resource.properties.select { |property| current[:ensure] != :absent || property.name == :ensure }
    insync = compared.reject { |property| property.should.nil? }.to_h { |property| [property.name.to_s, insync?(property, current)] }
    [item, insync]
  ensure
    (missing || []).each { |name| resource.delete(name) }
  end

  def insync?(property, current)
    property.safe_insync?(current[property.name]) ? true : false
  end

  def supported?(name)
    provider.nil? || provider.supports_parameter?(name)
  end

  def instances
    type.instances.select { |resource| provider.nil? || resource.provider.instance_of?(provider) }
  end

  # Returns the automatic relations of a resource.
  def relations(item)
    resource = self.resource(item)
    %w[require before notify subscribe].flat_map do |kind|
      found = []
      type.public_send("eachauto#{kind}") do |target, block|
        [resource.instance_eval(&block)].flatten.compact.each { |other| found << [target, other] }
      end
      found.map { |target, other| { kind: kind }.merge(self.class.reference(target, other)) }
    end
  end

  def self.reference(target, other)
    known = other.is_a?(Puppet::Type) || other.is_a?(Puppet::Resource)
    target = known ? other.type : target
    { type: target.to_s.downcase, title: Wire.text((known ? other.title : other).to_s) }
  end

  # Sets properties in this order, as Puppet does after it has compared them: the others are set if one fails, and what was set is flushed.
  # Returns the errors by property.
  def change(item, names)
    resource = self.resource(item)
    prefetch
    renew(item.fetch('title'))
    resource.retrieve_resource
    written(item.fetch('title'))
    failed = names.to_h { |name| [name, failure_of(resource, name)] }.compact
    resource.flush if failed.size < names.size && resource.respond_to?(:flush)
    failed
  end

  def failure_of(resource, name)
    property = resource.property(name.to_sym) or raise Refused.new('unsupported', "`#{name}` cannot be set")
    property.sync
    nil
  rescue OutOfTime
    raise
  rescue *FAILURES => e
    Wire.error(e)
  end
end

# Answers requests.
class Host
  OPERATIONS = %w[hello providers catalog get set call refresh relations resolve end].freeze

  def initialize
    @groups = {}
    @used = {}
  end

  def hello(request)
    @catalog ||= Library.load(request.fetch('ruby'))
    { protocol: 1, minor: 1, name: 'ruby', version: Puppet.version, type: '', ops: OPERATIONS - ['hello'], batch: 64,
      list: 'expensive', attributes_read: [] }
  end

  def type(name)
    Puppet::Type.type(name) or raise Refused.new('not_found', "the type `#{name}` does not exist in Ruby")
  end

  def group(request)
    @groups[request.values_at('type', 'provider')] ||= begin
      type = type(request.fetch('type'))
      name = request['provider']
      provider = type.provider(name.to_sym) if name
      raise Refused.new('not_found', "the type `#{type.name}` has no provider `#{name}` in Ruby") if name && provider.nil?

      Uncalled.check(type)
      Group.new(type, provider, @catalog)
    end
  end

  def suitable_group(request)
    group = group(request)
    reason = group.unsuitable
    raise Refused.new('not_found', reason) if reason

    @catalog.require_configured(group.type.name)

    group
  end

  def providers(request)
    type = type(request.fetch('type'))
    default = type.defaultprovider
    list = type.providers.map do |name|
      provider = type.provider(name)
      features = type.features.select { |feature| provider.feature?(feature) }
      { name: name.to_s, default: provider == default, reasons: Group.reasons(provider), features: features.map(&:to_s) }
    end
    { providers: list }
  end

  # Providers find other resources in the catalog.
  def catalog(request)
    @groups.clear
    @used.clear
    @catalog.clear
    @catalog.declare(request.fetch('resources'))
    @catalog.configure
    {}
  end

  def get(request)
    group = suitable_group(request)
    group.forget_written
    return list(group) if request['names'].nil?

    made = request['names'].map { |item| [item, attempt(request) { group.resource(item) }] }
    failure = attempt(request) { group.prefetch }
    items = made.map do |item, resource|
      problem = [resource, failure].find { |result| result.is_a?(Exception) }
      result = problem || attempt(request) { group.state(group.renew(item.fetch('title')), everything: request['attrs'].nil?) }
      { title: item.fetch('title') }.merge(answer_of(result))
    end
    { resources: items, complete: true }
  end

  def answer_of(result)
    return { error: Wire.error(result) } if result.is_a?(Exception)

    state, insync = result
    { state: state, insync: insync }
  end

  def list(group)
    items = group.instances.map do |resource|
      { title: Wire.value(resource.title), state: group.state(resource, everything: true).first }
    end
    { resources: items, complete: true }
  end

  def set(request)
    group = suitable_group(request)
    @used[group.provider] = true
    results = request.fetch('changes').map do |item|
      result = attempt(request) { group.change(item, item.fetch('attrs')) }
      next { title: item.fetch('title'), error: Wire.error(result) } if result.is_a?(Exception)

      { title: item.fetch('title'), failed: result }
    end
    { results: results }
  end

  def refresh(request)
    group = suitable_group(request)
    resource = ready(group, request)
    return { refreshed: false } unless resource.respond_to?(:refresh)

    @used[group.provider] = true
    group.written(request.fetch('name').fetch('title'))
    result = attempt(request) { resource.refresh }
    raise result if result.is_a?(Exception)

    { refreshed: true }
  end

  def relations(request)
    result = attempt(request) { group(request).relations(request.fetch('name')) }
    raise result if result.is_a?(Exception)

    { relations: result }
  end

  def call(request)
    resource = ready(suitable_group(request), request)
    method = request.fetch('method')
    # Puppet calls this hook of the resource, whatever methods the provider has.
    objects = method == 'pre_run_check' ? [resource] : [resource.provider, resource]
    target = objects.find { |object| object.respond_to?(method) }
    raise Refused.new('unsupported', "the provider has no method `#{method}`") if target.nil?

    result = attempt(request) { [target.public_send(method, *(request['arguments'] || []))] }
    raise result if result.is_a?(Exception)

    { value: Wire.value(result.first) }
  end

  # Calls the functions of deferred values.
  def resolve(request)
    results = request.fetch('values').map do |value|
      result = attempt(request) { [resolver(request).resolve(Puppet::Pops::Serialization::FromDataConverter.convert(value))] }
      next { error: Wire.error(result) } if result.is_a?(Exception)

      { value: Puppet::Pops::Serialization::ToDataConverter.convert(Wire.clean(result.first), rich_data: true, symbol_as_string: true) }
    end
    { results: results }
  end

  def resolver(request)
    @resolver ||= begin
      compiler = Puppet::Parser::ScriptCompiler.new(Puppet.lookup(:current_environment), 'rtype')
      made = Puppet::Pops::Evaluator::DeferredResolver.new(compiler)
      made.set_facts_variable(Puppet::Node::Facts.new('rtype', request.fetch('facts')))
      made
    end
  end

  def ready(group, request)
    item = request.fetch('name')
    group.forget_written
    group.resource(item)
    group.prefetch
    group.renew(item.fetch('title'))
  end

  def end(_request = nil)
    @used.each_key { |provider| provider.post_resource_eval if provider.respond_to?(:post_resource_eval) }
    @used.clear
    {}
  end

  # Runs code of modules for one resource; returns what it raises.
  def attempt(request, &block)
    seconds = request['each_s']
    return yield unless seconds

    require 'timeout'
    begin
      Timeout.timeout(seconds, OutOfTime, "no answer within #{seconds} seconds", &block)
    rescue OutOfTime
      Descendants.kill
      raise
    end
  rescue *FAILURES => e
    e
  end

  def answer(line)
    request = JSON.parse(line)
    operation = request.fetch('op')
    raise Refused.new('unsupported', "unknown operation `#{operation}`") unless OPERATIONS.include?(operation)

    answer = { id: request['id'] }.merge(public_send(operation, request))
    answer[:differences] = FileDecides.differences.slice!(0..) if FileDecides.differences.any?
    answer
  rescue *FAILURES => e
    { id: request.is_a?(Hash) ? request['id'] : nil, error: Wire.error(e) }
  end

  def run
    while (line = REQUESTS.gets)
      ANSWERS.puts(JSON.generate(answer(line)))
    end
  end
end

Descendants.adopt
trap('TERM') do
  Descendants.kill
  exit!(143)
end
Host.new.run
Descendants.kill
# Nothing that modules have registered with `at_exit` runs.
exit!(0)
