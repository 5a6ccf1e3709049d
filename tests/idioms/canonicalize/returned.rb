# [{ mode: 'RW', size: '4' }, { mode: nil, tags: ['x'] }]
def canonicalize(context, resources)
  resources.map { |resource| tidied(context, resource) }
end

def tidied(_context, resource)
  resource[:mode] = resource[:mode].downcase if resource[:mode]
  resource.merge(size: resource[:size].to_i)
end
