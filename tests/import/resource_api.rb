require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'lamp_post',
  docs: <<~TEXT,
    A lamp at a street.

    It is on at night.
  TEXT
  features: %w[remote_resource simple_get_filter],
  title_patterns: [
    { pattern: %r{^(?<street>.*[^/])/(?<number>\d+)$}, desc: 'street and number' },
    { pattern: %r{^(?<street>[^/]+)$}, desc: 'the street' },
  ],
  attributes: {
    street: { type: 'String[1]', desc: 'Where it is.', behaviour: :namevar },
    number: { type: 'Pattern[/^\d+$/]', desc: 'Its number.', behaviour: :namevar },
    lit: { type: 'Boolean', desc: 'Whether it is on.', default: false },
    bulbs: { type: 'Array[Struct[{watt => Integer[1], Optional[colour] => Enum[warm, cold]}]]', desc: 'What is in it.' },
    ensure: { type: 'Enum[present, absent]', desc: 'Whether it exists: the first property, in any place.', default: 'present' },
    owner: { type: 'Optional[String]', desc: 'Who pays.', behaviour: :init_only },
    reason: { type: 'String', desc: 'Why it changes.', behaviour: :parameter },
    serial: { type: 'Integer', desc: 'What is on its plate.', behavior: :read_only },
    shade: { type: 'Variant[Boolean, Array[Enum[dark, light]]]', desc: 'Whether it has one, or of what kind.', default: false },
    built: { type: 'Optional[Variant[Timestamp, Pattern[/\\A\\d{4}\\z/]]]', desc: 'When.' },
    odd: { type: 'Street::Name', desc: 'A type alias of some module.' },
  },
  autorequire: { file: ['/etc/streets', '$owner'], user: '$owner', service: 'lamps' },
)
