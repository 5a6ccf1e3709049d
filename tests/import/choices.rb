# Values that depend on the machine.
Puppet::Type.newtype(:gauge) do
  newparam(:name, namevar: true)

  newproperty(:level) do
    desc 'How much there is.'
    if Facter.value(:kernel) == 'FreeBSD'
      newvalue(%r{^[0-2]$})
      newvalue(/high/)
    else
      newvalues(/^[01]$/)
    end
    defaultto 0
  end

  # Words become symbols: which ones is not known when the type is loaded.
  newproperty(:scale) do
    if Facter.value(:kernel) == 'FreeBSD'
      newvalues(:meters)
    else
      newvalues(:feet)
    end
  end

  newproperty(:lit, parent: Puppet::Property::Boolean) do
    desc 'Yes in any case of letters is allowed, unlike for a param.'
    def munge(value)
      super ? :yes : :no
    end
  end

  newparam(:loud, boolean: true, parent: Puppet::Parameter::Boolean)

  # A property for those who read its value, which nothing compares.
  newparam(:keeper, parent: Puppet::Type::File::Group) do
    desc 'Who may read it.'
  end

  # How a value is worded is asked by other methods, too.
  newproperty(:mark) do
    def is_to_s(value)
      return 'none' if value == :absent
      super
    end

    def change_to_s(current, wanted)
      "#{is_to_s(current)} becomes #{wanted}"
    end
  end
end
