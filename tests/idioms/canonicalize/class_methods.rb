# [{ mode: ' rw ' }, { size: 4 }]
def canonicalize(_context, resources)
  resources.each do |resource|
    self.class.strip(resource)
    resource[:size] = self.class.number(resource[:size]) if resource.key?(:size)
  end
end

def self.strip(resource)
  resource[:mode] = resource[:mode].strip if resource[:mode]
end

def self.number(size)
  Integer(size)
end
