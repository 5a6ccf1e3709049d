# Attributes as objects, and questions whether there are such attributes.
Puppet::Type.newtype(:valve) do
  newparam(:name, namevar: true)
  newparam(:pipe)

  newproperty(:ensure) do
    newvalue(:open)
    newvalue(:closed)
  end

  newproperty(:flow) do
    # Another property is read again.
    def insync?(is)
      is == should && resource.property(:ensure).retrieve == :open
    end
  end

  # It is read, whether it is managed or not.
  def refresh
    if (@parameters[:ensure] || newattr(:ensure)).retrieve == :open
      provider.reopen
    else
      debug 'Skipped'
    end
  end

  # The text of an attribute is its name.
  autorequire(:pipe) do
    @parameters.include?(:pipe) ? [@parameters[:pipe].to_s] : []
  end

  validate do
    raise Puppet::Error, 'no flow' unless self.class.validattr?(:flow) && self.class.validproperty?(:flow)
    raise Puppet::Error, 'a pump' if self.class.validattr?(:pump) || self.class.validparameter?(:flow)
    raise Puppet::Error, 'no tags' unless self.class.validattr?(:tag) && self.class.validattr?(:name)
  end

  autosubscribe(:pipe) do
    if (pipe = @parameters[:pipe])
      pipe.value
    else
      self[:name]
    end
  end

  autonotify(:pipe) do
    if (pipe = self[:pipe]) && pipe != 'none' && (at = pipe.index('/'))
      pipe[0...at]
    end
  end

  # A param has no current value.
  autobefore(:pipe) do
    parameter(:pipe).retrieve
  end
end

Puppet::Type.type(:valve).provide(:hand) do
  def reopen; end
end
