# [{ mode: ' RW ', size: '3' }, { tags: ['a'] }]
NUMBER = Integer
SECRET = Puppet::Pops::Types::PSensitiveType::Sensitive

def initialize
  @cache = []
end

# What it keeps is for `get`; an error is raised in any case.
def canonicalize(_context, resources)
  resources.map do |resource|
    canonical = resource.dup
    canonical[:mode] = canonical[:mode].strip.downcase if canonical[:mode] && !canonical[:mode].is_a?(SECRET)
    canonical[:size] = whole(canonical[:size]) if canonical[:size]
    @cache << canonical.dup
    canonical
  end
rescue ArgumentError => e
  raise Puppet::ResourceError, e.message
end

def whole(size)
  size.is_a?(NUMBER) ? size : Integer(size, 10)
end

def get(_context, names = [])
  @cache.select { |resource| names.include?(resource[:name]) }
end
