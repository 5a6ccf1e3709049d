# [{ mode: 'a' }]
def canonicalize(context, resources)
  return resources if resources.none?
  resources
end
