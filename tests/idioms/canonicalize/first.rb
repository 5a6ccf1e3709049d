# [{ size: 'A' }, { size: nil, mode: ' b ' }]

def canonicalize(_context, resources)
  resources[0][:size] = 'none' if resources[0][:size].nil?
  resources.first[:mode] = resources.first[:mode].strip if resources.first[:mode]
  resources
end
