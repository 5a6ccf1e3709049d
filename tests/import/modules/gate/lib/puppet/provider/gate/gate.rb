require 'puppet/resource_api/simple_provider'

# A provider of the Resource API.
class Puppet::Provider::Gate::Gate < Puppet::ResourceApi::SimpleProvider
  SMALL = %w[tiny small].freeze

  def initialize
    @widths = { 'tiny' => 'narrow', 'huge' => 'wide' }
    @reads = 0
  end

  def canonicalize(_context, resources)
    limit = 3
    resources.each do |resource|
      next if resource[:ensure] == 'absent'
      resource[:name] = resource[:name].downcase
      resource[:width] = @widths[resource[:width]] if @widths.key?(resource[:width])
      resource[:width] ||= 'narrow' unless SMALL.include?(resource[:name])
      resource[:boards] = sorted(resource[:boards], limit) if resource[:boards]
      resource.delete(:alone)
      resource.each do |key, value|
        resource[key] = nil if value == -1
      end
    end
    resources
  end

  def sorted(boards, limit)
    boards.map(&:to_s).sort.first(limit)
  end

  def get(_context)
    @reads += 1
    []
  end
end
