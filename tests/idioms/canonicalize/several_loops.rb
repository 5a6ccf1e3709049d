# [{ mode: 'a', size: 1 }, { mode: 'a', tags: ['y', 'x'] }, { tags: ['y', 'x'] }]
def canonicalize(_context, resources)
  resources.each do |resource|
    next if resource[:tags].nil?
    resource[:tags] = resource[:tags].sort
  end
  resources = resources.map { |r| r.merge(size: (r[:size] || 0).to_s) }
  resources.each do |one|
    next one if one[:mode].nil?
    one[:mode] = one[:mode].upcase
  end
end
