# frozen_string_literal: true

Puppet::Type.type(:drawer).provide(:ruby) do
  mk_resource_methods
  def initialize(value = {})
    super
    @flush = {}
  end

  def self.prefetch(resources)
    resources.each { |n, r| r.provider = new(ensure: :present, name: n, settings: { 'a' => '1' }, enabled: :false, level: 3) if n =~ /old/ }
  end
  def same?(is, should)
    is.is_a?(Hash) && should.all? { |k, v| is[k] == v }
  end

  def exists?
    @property_hash[:ensure] == :present
  end

  def create
    @flush[:ensure] = :present
  end

  def destroy
    @flush[:ensure] = :absent
  end

  %i[settings enabled level].each { |p| define_method("#{p}=") { |v| @flush[p] = v } }
  def flush
    File.write(resource[:log], "#{resource[:name]} #{@flush.inspect} #{resource.to_hash.reject { |k, _| %i[log loglevel provider].include?(k) }.map { |k, v| "#{k}=#{v.inspect}" }.sort.join(',')}\n", mode: 'a')
  end
end
