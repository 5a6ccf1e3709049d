# Its reading changes what the conversion depends on.
class Puppet::Provider::Hatch::Hatch
  def initialize
    @weights = {}
  end

  def canonicalize(_context, resources)
    resources.map do |resource|
      resource.merge(weight: @weights.fetch(resource[:name], resource[:weight]))
    end
  end

  def get(_context)
    @weights['attic'] = 3
    []
  end
end
