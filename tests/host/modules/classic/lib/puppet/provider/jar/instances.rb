# frozen_string_literal: true

# As most generated providers: prefetch takes from instances what is declared.
Puppet::Type.type(:jar).provide(:instances) do
  desc 'Prefetches by instances.'

  mk_resource_methods

  def self.instances
    [new(name: 'instances-same', ensure: :present, size: 3, word: 'a', list: %w[x y], state: :on),
     new(name: 'instances-differs', ensure: :present, size: 4, word: 'b', list: %w[y x], state: 'on'),
     new(name: 'instances-gone', ensure: :present, size: 4)]
  end

  def self.prefetch(resources)
    instances.each do |provider|
      resource = resources[provider.name]
      resource.provider = provider if resource
    end
  end

  def initialize(value = {})
    super(value)
    @changes = {}
  end

  %i[size word list state].each do |property|
    define_method("#{property}=") { |value| @changes[property] = value }
  end

  def exists?
    @property_hash[:ensure] == :present
  end

  def create
    @changes[:ensure] = :present
  end

  def destroy
    @changes[:ensure] = :absent
  end

  def flush
    resource.note("flush #{@changes.inspect} of #{@property_hash[:size].inspect}")
    @property_hash = resource.to_hash.slice(:name, :size, :word, :list, :state)
  end
end
