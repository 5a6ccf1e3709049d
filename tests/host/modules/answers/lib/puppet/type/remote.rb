require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'remote',
  docs: 'A resource of a device.',
  features: ['remote_resource'],
  attributes: { name: { type: 'String', desc: 'The name.', behaviour: :namevar } },
)
