require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'gate',
  desc: 'A gate in a fence.',
  features: ['canonicalize', 'simple_get_filter', 'supports_noop'],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Whether it is there.', default: 'present' },
    name: { type: 'String[1]', desc: 'Where it is.', behaviour: :namevar },
    width: { type: 'Optional[Gate::Width]', desc: 'A type alias of this module.' },
    alone: { type: 'Optional[Gate::Missing]', desc: 'A type alias that does not exist.' },
    locked: { type: 'Boolean', desc: 'Whether it is locked.', default: true },
    lockable: { type: 'Optional[Boolean[true]]', desc: 'Only one of both.' },
    boards: { type: 'Optional[Tuple[String, Integer, 1, 2]]', desc: 'A list of several lengths.' },
    maker: { type: 'Optional[String]', desc: 'Who made it.', behaviour: :init_only },
    code: { type: 'Optional[Sensitive[String]]', desc: 'What opens it.' },
  },
)
