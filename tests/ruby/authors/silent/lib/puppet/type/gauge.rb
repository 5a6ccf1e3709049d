require_relative '../../puppet_x/silent/list'

Puppet::Type.newtype(:gauge) do
  @doc = 'A gauge.'

  newparam(:name, namevar: true) do
    desc 'Its name.'
  end

  newproperty(:marks, array_matching: :all, parent: PuppetX::Silent::List) do
    desc 'Where it has marks.'
  end

  newproperty(:hints, array_matching: :all, parent: PuppetX::Silent::List) do
    desc 'What it says there.'
  end
end
