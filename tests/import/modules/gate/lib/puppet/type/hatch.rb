require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'hatch',
  desc: 'A gate in a floor.',
  features: ['canonicalize'],
  attributes: {
    name: { type: 'String', desc: 'Where it is.', behaviour: :namevar },
    weight: { type: 'Integer', desc: 'How heavy it is.' },
  },
)
