# [{ mode: 'RW' }, { size: 1 }]
def canonicalize(_context, resources)
  resources.each_with_object([]) do |resource, all|
    resource[:mode] = (resource[:mode] || 'none').downcase
    all << resource
  end
end
