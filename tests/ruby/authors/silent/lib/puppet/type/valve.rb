require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'valve',
  docs: 'A valve that only devices have.',
  features: ['canonicalize', 'remote_resource'],
  attributes: {
    name: { type: 'String', desc: 'Its name.', behaviour: :namevar },
    open: { type: 'Optional[Boolean]', desc: 'Whether it is open.' },
  },
)
