Puppet::Type.newtype(:lantern) do
  @doc = 'A lantern of the shop.'

  ensurable

  newparam(:name) { desc 'Where it hangs.' }

  newproperty(:colour) do
    desc 'Its colour.'
    newvalues(/^(red|green)$/)
  end

  newparam(:key) do
    desc 'What opens it.'
    sensitive true
    defaultto 'opensesame'
  end

  newparam(:code) do
    desc 'What opens it, too.'
    defaultto { Refinery.code('opensesame') }
    sensitive true
  end

  newproperty(:oil) do
    desc 'What burns in it.'
    munge { |value| Refinery.find(value) }
  end
end
