require 'puppet/resource_api'

# Its provider is only there for a device, and is not found on a host.
Puppet::ResourceApi.register_type(
  name: 'turnstile',
  desc: 'A gate that counts.',
  features: ['canonicalize', 'remote_resource'],
  attributes: {
    name: { type: 'String', desc: 'Where it is.', behaviour: :namevar },
    count: { type: 'Integer', desc: 'How many went through.' },
  },
)
