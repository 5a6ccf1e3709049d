# frozen_string_literal: true

# Providers that know only what a case says: getters answer from its `is`, its `provider_stub` answers what else is asked,
# and whatever would change the machine is refused.
module Providers
  CHANGES = %i[create destroy flush].freeze

  class << self
    # Property => what is there.
    attr_writer :state
    # Method => its answer.
    attr_writer :stubs

    def state
      @state ||= {}
    end

    def stubs
      @stubs ||= {}
    end

    # Others in the catalog are of a machine of which nothing is known.
    def with_nothing_there
      before = state
      self.state = {}
      yield
    ensure
      self.state = before
    end

    def rig(provider, type)
      cache = provider.instance_variable_get(:@property_hash)
      state.each { |name, value| cache[name] = value unless cache.key?(name) } if cache.is_a?(Hash)
      type.properties.each do |property|
        answer(provider, property.name, state.fetch(property.name, :absent))
        refuse(provider, "#{property.name}=")
      end
      answer(provider, :exists?, !state[:ensure].nil? && state[:ensure] != :absent)
      CHANGES.each { |name| refuse(provider, name) }
      stubs.each { |name, value| provider.define_singleton_method(name) { |*| value } }
    end

    private

    def answer(provider, name, value)
      provider.define_singleton_method(name) { |*| value } if provider.respond_to?(name)
    end

    def refuse(provider, name)
      provider.define_singleton_method(name) { |*| Machine.refuse("#{name} called") } if provider.respond_to?(name)
    end
  end

  # All resources get their provider here.
  module Rigged
    def provider=(name)
      super
      Providers.rig(@provider, self.class) if @provider
    end
  end
  Puppet::Type.prepend(Rigged)
end
