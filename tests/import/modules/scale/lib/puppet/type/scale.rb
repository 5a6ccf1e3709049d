require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'scale',
  docs: 'A scale, whose provider compares its properties.',
  features: ['custom_insync'],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Whether it is there.', default: 'present' },
    name: { type: 'String', desc: 'Its name.', behaviour: :namevar },
    weights: { type: 'Optional[Array[String]]', desc: 'What it can weigh.' },
    label: { type: 'Optional[String]', desc: 'What it says.' },
    limit: { type: 'Optional[Integer]', desc: 'How much it carries.' },
    exact: { type: 'Boolean', desc: 'Whether it has no other weights.', behaviour: :parameter, default: false },
  }
)
