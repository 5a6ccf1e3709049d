# frozen_string_literal: true

require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'bowl',
  docs: 'A file with the size of a bowl.',
  features: ['simple_get_filter'],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Whether it exists.', default: 'present' },
    name: { type: 'String', desc: 'The path of the file.', behaviour: :namevar },
    size: { type: 'Integer', desc: 'How much fits into it.' },
  },
)
