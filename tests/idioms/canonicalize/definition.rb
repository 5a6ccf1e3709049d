# [{ mode: ' a ', map: { 'b' => 1 } }, { size: 5, tags: ['x'] }]

def canonicalize(context, resources)
  texts = context.type.attributes.select { |_, options| options[:type].include?('String') }.keys
  resources.each do |resource|
    context.type.attributes.each_key do |name|
      next unless resource[name].is_a?(String)

      resource[name] = resource[name].strip
    end
    resource[:tags] = texts.map(&:to_s) + [context.type.name] if resource[:tags]
    resource[:map] = { 'named' => context.type.namevars.map(&:to_s) } if resource[:map] && context.type.feature?('canonicalize')
    resource[:mode] = "#{context.type.ensurable?} mode" if resource[:mode]
    context.debug("#{resource[:name]} is done")
  end
end
