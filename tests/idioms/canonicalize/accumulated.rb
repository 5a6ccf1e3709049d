# [{ mode: ' rw ', size: 3 }, { tags: ['a'] }]
def canonicalize(_context, resources)
  return resources if resources.nil? || resources.empty?

  canonical = []
  resources.each do |resource|
    result = {}
    resource.each { |key, value| result[key] = value.is_a?(String) ? value.strip : value }
    canonical << result
  end
  canonical
end
