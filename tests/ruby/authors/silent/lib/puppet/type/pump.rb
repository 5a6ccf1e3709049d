Puppet::Type.newtype(:pump) do
  @doc = <<-DOC
    A pump.

    ~~~puppet
    pump { '<name>':
      ..attributes..
    }
    ~~~

    ~~~puppet
    pump { 'cellar':
      mode => on,
    }
    pump { 'cellar':
      mode => off,
    ~~~

    ~~~puppet
    mode => on,
    ~~~
  DOC

  feature :reversible, 'It can run backwards.'

  newparam(:name, namevar: true) do
    desc 'Its name.'
  end

  newproperty(:mode) do
    desc 'Whether it runs.'
    newvalues(:on, :off)
    munge { |value| "#{value}-now" }
  end

  newproperty(:backwards, required_features: :reversible) do
    desc 'Whether it runs backwards.'
    newvalues(:true, :false)
  end

  newparam(:password) do
    desc 'What the panel asks for.'
  end

  newproperty(:token) do
    desc 'What the pump sends.'

    def is_to_s(_current)
      '[old token]'
    end

    def should_to_s(_desired)
      '[new token]'
    end
  end

  %i[pump file].each do |kind|
    autorequire(kind) do
      kind == :pump ? [] : ["/etc/pumps/#{self[:name]}"]
    end
  end
end
