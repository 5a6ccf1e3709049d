Puppet::Type.newtype(:tank) do
  @doc = <<-DOC
    A tank.

    ~~~puppet
    tank { 'roof':
      ensure => present
      size   => small,
    }
    ~~~

    ~~~puppet
    tank { 'roof':
      sise => small,
    }
    ~~~
  DOC

  ensurable

  newparam(:name, namevar: true) do
    desc 'Its name.'
    defaultto 'roof'
  end

  newproperty(:size) do
    desc 'How much it holds. Defaults to `large`.'
    newvalues(:small, :large, :small)
    defaultto :small
  end

  newproperty(:password) do
    desc 'What opens it.'
  end

  validate do
    code = self[:name].to_s
    fail 'only a tank has a size' if self[:ensure] == 'absent' && self[:size]
  end
end
