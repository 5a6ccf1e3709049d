require 'puppet/resource_api'

# A resource whose provider reports the current values in different forms.
Puppet::ResourceApi.register_type(
  name: 'answer',
  docs: 'What a provider reports.',
  attributes: {
    name: { type: 'String', desc: 'The form of the report.', behaviour: :namevar },
    log: { type: 'String', desc: 'The file of the changes.', behaviour: :parameter },
    size: { type: 'Optional[Integer]', desc: 'A number.' },
    word: { type: 'Optional[String]', desc: 'A word.' },
  },
)
