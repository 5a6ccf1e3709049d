# frozen_string_literal: true

# `word` and `list` are missing in what is prefetched.
Puppet::Type.type(:jar).provide(:lacks) do
  desc 'Prefetches some of the properties.'

  mk_resource_methods

  def self.prefetch(resources)
    resources.each { |name, resource| resource.provider = new(name: name, ensure: :present, size: 3, state: :on) }
  end

  def exists?
    @property_hash[:ensure] == :present
  end

  def create
    resource.note('create')
  end

  def destroy
    resource.note('destroy')
    @property_hash.clear
  end

  def flush
    resource.note("flush #{@property_hash.sort.inspect}")
  end
end
