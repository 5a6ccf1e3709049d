# [{ map: { 'a' => ' 1 ' } }, { mode: 'x' }]
def canonicalize(context, resources)
  resources.each do |resource|
    next if resource[:map].nil?
    strip(resource[:map])
    resource[:map] = marked(context, resource[:map])
  end
end

def strip(map)
  map.each { |key, value| map[key] = value.strip }
  map
end

def marked(context, map)
  context.warning('the mark is missing') unless map.key?('mark')
  map['mark'] = 'yes'
  map
end
