# A type as modules of Puppet have them: docs/import.md shows what becomes of it.
Puppet::Type.newtype(:motd_entry) do
  @doc = <<-DOC
    A line of the message of the day.

    @example
      motd_entry { 'maintenance':
        text   => 'Maintenance on Sunday.',
        colour => 'red',
      }
  DOC

  ensurable

  newparam(:name, namevar: true) do
    desc 'What it is called.'
    newvalues(/^[a-z]+$/)
  end

  newproperty(:text) do
    desc 'What it says.'
    munge { |value| value.strip }
    validate do |value|
      raise ArgumentError, _('%{name} has to say something') % { name: resource[:name] } if value.strip.empty?
    end
  end

  newproperty(:colour) do
    desc 'Its colour.'
    newvalues(:red, :green)
    aliasvalue(:rot, :red)
    defaultto :green
  end

  newproperty(:until) do
    desc 'When it ends.'
    munge { |value| Chronic.parse(value) }
  end

  newparam(:important, boolean: true, parent: Puppet::Parameter::Boolean) do
    desc 'Whether it goes first.'
    defaultto false
  end

  autorequire(:file) { '/etc/motd.entries' }

  validate do
    raise ArgumentError, 'what is important needs a text' if self[:important] && self[:text].nil?
  end
end
