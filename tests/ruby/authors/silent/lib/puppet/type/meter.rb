require 'puppet/resource_api'
require_relative '../../puppet_x/silent/list'

Puppet::ResourceApi.register_type(
  name: 'meter',
  docs: 'A meter.',
  attributes: {
    name: { type: 'String', desc: 'Its name.', behaviour: :namevar },
    secret: { type: 'Optional[Sensitive[String]]', desc: 'What it sends.' },
  },
)

Puppet::Type.newtype(:reader) do
  @doc = 'What reads a meter.'

  newparam(:name, namevar: true) do
    desc 'Its name.'
  end

  newparam(:password, parent: PuppetX::Silent::List) do
    desc 'What the meter asks for.'
  end
end
