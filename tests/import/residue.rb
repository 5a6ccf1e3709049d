# Unsupported code stays visible.
Puppet::Type.newtype(:relic) do
  newparam(:name, namevar: true)

  newproperty(:size) do
    munge do |value|
      Units.parse(value)
    end
    def helper
      @cache ||= Units.all
    end
  end

  newproperty(:owner, parent: Puppet::Property::Owner) do
    desc 'Who has it.'
  end

  newproperty(:state) do
    newvalue(:open) do
      @resource.unlock!
    end
  end

  Dir.children('/srv').each do |name|
    newparam(name)
  end

  autorequire(:file) do
    Dir.glob('/srv/*')
  end

  def suitable?
    true
  end
end
