# frozen_string_literal: true

require_relative 'machine'
require_relative 'values'
require_relative 'providers'

# One case → what Puppet makes of it: the way of the agent from a compiled resource to what it would change, without
# reading or changing anything. ../README.md has the format.
class Examination
  RELATIONS = %w[autorequire autobefore autonotify autosubscribe].freeze

  # Ruby's own complaints: a value of a wrong kind met a method. That it fails is what Puppet does; the words are chance.
  RUBY_WORDS = Regexp.union('undefined method', 'no implicit conversion', /comparison of .+ failed/, "can't convert",
                            'wrong number of arguments', 'uninitialized constant').freeze

  def self.of(a_case)
    new(a_case).result
  end

  def initialize(a_case)
    @case = a_case
    @found = { 'id' => a_case['id'], 'ok' => true }
    @errors = {}
    @messages = []
    @stage = 'load'
  end

  def result
    Puppet::Util::Log.close_all
    Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(@messages))
    begin
      declare
      describe
      @found['errors'] = @errors unless @errors.empty?
    rescue StandardError, ScriptError, SystemExit, SystemStackError => error
      @found = refusal(error)
    end
    notes
    @found
  end

  private

  # --- the resource comes to be, or is refused at one of the stages

  def declare
    @type = Puppet::Type.type(@case['type']) or raise Puppet::Error, "Resource type '#{@case['type']}' was not found"
    @is = state
    Providers.state = @is
    Providers.stubs = Values.read(@case['provider_stub'] || {})

    @stage = 'resource'
    compiled = catalog
    @catalog = catalog
    others = (@case['catalog'] || []).map { |other| compile(other, compiled) }
    main = compile(@case, compiled)
    main.sensitive_parameters = (@case['sensitive'] || []).map(&:to_sym)
    @given = main.to_hash.keys
    Providers.with_nothing_there { others.each { |other| @catalog.add_resource(other.to_ral) } }

    @stage = 'new'
    @resource = main.to_ral
    @stage = 'catalog'
    @catalog.add_resource(@resource)
    @stage = 'finish'
    @resource.finish
  end

  def catalog
    Puppet::Resource::Catalog.new('oracle', Puppet.lookup(:current_environment))
  end

  def compile(declared, compiled)
    resource = Puppet::Resource.new(declared['type'], declared['title'])
    declared.fetch('params', nil).to_h.compact.each { |name, value| resource[name] = Values.read(value) }
    resource.catalog = compiled
    compiled.add_resource(resource)
    resource
  end

  # What is there. Providers say `:absent`, and name states of `ensure` by symbols.
  def state
    (@case['is'] || {}).to_h do |name, json|
      symbol = json == 'absent' || (name == 'ensure' && json.is_a?(String) && state_of_ensure?(json))
      [name.to_sym, symbol ? json.to_sym : Values.read(json)]
    end
  end

  def state_of_ensure?(text)
    return true if text == 'present'

    ensure_class = @type.attrclass(:ensure)
    ensure_class ? ensure_class.value_collection.values.include?(text.to_sym) : false
  end

  # --- what it is and would do

  def describe
    identity
    attributes
    comparison
    RELATIONS.each { |kind| @found[kind] = relations(kind) }
    @found['edges'] = edges if @case['catalog']
    on_request
  end

  def identity
    provider = @resource.provider
    @found.update(
      'ref' => @resource.ref,
      'namevars' => @type.key_attributes.to_h { |name| [name.to_s, Values.write(@resource[name])] },
      'uniqueness_key' => Values.write(trying('uniqueness_key') { @resource.uniqueness_key }),
      'provider' => provider && provider.class.name.to_s,
      'provider_features' => provider ? provider.class.features.to_a.map(&:to_s) : [],
      'suitable' => trying('suitable') { @resource.suitable? }
    )
  end

  def attributes
    @resource.parameters.each_value { |attribute| unread(attribute) if attribute.is_a?(Puppet::Property) }
    set = @type.allattrs.map { |name| [name.to_s, @resource.parameter(name)] }.select(&:last)
    @found['values'] = values = {}
    @found['should'] = lists = {}
    set.each do |name, attribute|
      value = trying("values.#{name}") { attribute.value }
      values[name] = Values.write(value)
      next unless attribute.is_a?(Puppet::Property)

      wanted = attribute.instance_variable_get(:@should)
      shown = attribute.match_all? ? value : [value]
      lists[name] = Values.write(wanted) if wanted && wanted != shown
    end
    present = @resource.parameters.keys
    @found['defaulted'] = (present - @given).map(&:to_s)
    @found['ignored'] = (@given - present).map(&:to_s)
  end

  # A property that reads what the case says.
  def unread(property)
    value = @is.fetch(property.name, :absent)
    copied = value.is_a?(Enumerable)
    property.define_singleton_method(:retrieve) { copied ? value.dup : value }
  end

  def comparison
    @found['insync'] = @is.to_h { |name, value| [name.to_s, in_sync?(@resource.property(name), value)] }
    stale = @type.properties.map(&:name).select { |name| @found['insync'][name.to_s] == false }
    @found['change_messages'] = stale.to_h { |name| [name.to_s, message(@resource.property(name), @is[name])] }
    @found['plan'] = planned(stale).map(&:to_s)
  end

  def in_sync?(property, is)
    trying("insync.#{property&.name}") do
      next if property.nil? || !property.should

      property.safe_insync?(is) ? true : false
    end
  end

  # As the transaction words it, for secrets, too.
  def message(property, is)
    trying("change_messages.#{property.name}") do
      wanted = property.should
      if property.sensitive
        property.format('changed %s to %s', property.is_to_s(is), property.should_to_s(wanted))
      else
        Values.words(property.change_to_s(is, wanted))
      end
    end
  end

  # What the transaction would sync: `ensure` alone, or all that differs of a resource that is there.
  def planned(stale)
    return [:ensure] if stale.include?(:ensure)

    @resource.present?(@is) ? stale : []
  end

  # What the blocks give, in the catalog or not.
  def relations(kind)
    targets = []
    @type.public_send("each#{kind}") do |type, block|
      given = trying("#{kind}.#{type}") { @resource.instance_eval(&block) }
      (given.is_a?(Array) ? given : [given]).each do |target|
        next if target.nil?

        name = type.to_s.split('::').map(&:capitalize).join('::')
        targets << (target.is_a?(Puppet::Type) ? { 'ref' => target.ref } : [name, Values.write(target)])
      end
    end
    targets
  end

  # What comes of them in this catalog.
  def edges
    steps = RELATIONS.map { |kind| [kind, -> { @resource.public_send(kind, @catalog) }] }
    steps << ['explicit', -> { @resource.builddepends }]
    steps.flat_map do |kind, relate|
      (trying("edges.#{kind}", &relate) || []).map { |edge| [kind, edge.source.to_s, edge.target.to_s] }
    end
  end

  def on_request
    @found['generated'] = generated if @case['generate']
    asked = (@case['call'] || []).to_h { |name| [name, Values.write(trying("call.#{name}") { @resource.public_send(name) })] }
    @found['calls'] = asked unless asked.empty?
  end

  def generated
    made = trying('generate') { @resource.generate if @resource.respond_to?(:generate) }
    (made || []).map do |resource|
      { 'ref' => resource.ref, 'values' => resource.to_hash.to_h { |name, value| [name.to_s, Values.write(value)] } }
    end
  end

  # A step that fails is an error of its own; the others go on.
  def trying(step)
    yield
  rescue StandardError, ScriptError => error
    @errors[step] = { 'error_class' => error.class.name, 'message' => Values.words(error.message) }
    nil
  end

  # --- refusals, and what to know of a result before anybody compares it

  def refusal(error)
    message = Values.words(error.message)
    found = { 'id' => @case['id'], 'ok' => false, 'stage' => @stage, 'error_class' => error.class.name, 'message' => message }
    found['cause_class'] = error.cause.class.name if error.cause
    named = message.match(/\AParameter (\S+) failed on /)
    found['attribute'] = named[1] if named
    why = no_behaviour(error, message)
    found['harness_why'] = why if why
    found
  end

  # Why a refusal says nothing about the type; nil when it does.
  def no_behaviour(error, message)
    if message.include?('nil:NilClass') && @type && !@type.defaultprovider
      'no suitable provider'
    elsif error.is_a?(LoadError) || message.include?('cannot load such file')
      'ruby library missing'
    elsif @stage == 'load' && !message.include?('was not found')
      'type cannot be loaded'
    end
  end

  def notes
    @found['logs'] = @messages.map { |log| [log.level.to_s, Values.words(log.message)] } unless @messages.empty?
    @found['blocked'] = Machine.refused.uniq unless Machine.refused.empty?
    raised = [@found, *@found['errors']&.values].select { |entry| entry.key?('error_class') }
    if raised.any? { |entry| entry['error_class'] == 'Puppet::MissingCommand' }
      @found['harness_why'] ||= 'simulated command missing'
    end
    @found['harness'] = true if @found['blocked'] || @found['harness_why']
    @found['ruby_error'] = true if raised.any? { |entry| entry['message'].match?(RUBY_WORDS) }
  end
end
