# [{ mode: 'RW', tags: ['b', 'a'] }, { mode: '' }, { size: '3' }]
def canonicalize(context, resources)
  resources.each { |resource| tidy(resource, context) }
end

def tidy(resource, context)
  context.debug("tidying #{resource[:name]}")
  resource[:tags].sort! if resource[:tags]
  without_empty(resource, :mode)
  lower!(resource, :mode)
end

def without_empty(resource, key)
  resource.delete(key) if resource[key] == ''
end

def lower!(resource, key)
  return if resource[key].nil?
  resource[key] = resource[key].downcase
end
