# Parameters, resources, providers and classes as objects.
Puppet::Type.newtype(:door) do
  newparam(:name, namevar: true)
  newparam(:frame)

  newproperty(:color) do
    validate do |value|
      raise ArgumentError, "got a #{value.class}" unless [String, Symbol].include?(value.class)
      raise ArgumentError, "got a #{value.class.name}" if value.class == Integer
      raise ArgumentError, 'two frames' unless resource.parameters[:frame].nil?
    end
    munge do |value|
      value = value.unwrap if value.respond_to?(:unwrap)
      value
    end
  end

  newproperty(:target) do
    defaultto do
      if @resource.class.defaultprovider and @resource.class.defaultprovider.ancestors.include?(Puppet::Provider::ParsedFile)
        @resource.class.defaultprovider.default_target
      end
    end
  end

  newproperty(:owner) do
    defaultto do
      unless provider.is_a?(@resource.class.provider(:remote))
        struct = Etc.getpwuid(Process.uid)
        struct.respond_to?(:name) && struct.name || 'root'
      end
    end
    def insync?(is)
      provider.respond_to?(:same_owner?) ? provider.same_owner?(is) : Etc.getpwnam(should).uid == is
    end
  end

  autorequire(:house) do
    autos = []
    autos << @parameters[:frame].value if @parameters[:frame]
    autos
  end

  autorequire(:lock) do
    catalog.resources.select { |r| r.is_a?(Puppet::Type.type(:lock)) && r[:door] == self[:name] }.map { |r| r[:name] }
  end

  autobefore(:key) do
    keys = catalog.resources.map do |r|
      next unless r.is_a?(Puppet::Type.type(:key))
      r.title if r[:door] == self[:name]
    end.compact
    keys + [catalog.resource(:key, 'main')]
  end

  autonotify(:bell) do
    catalog.resources.map { |r| r.title }
  end

  validate do
    [:color, :owner].each do |field|
      fail("#{ref}: #{field} goes with a frame") if self[field] && !@parameters.include?(:frame)
    end
    fail('not here') if Puppet.features.root? && self[:provider] == :remote
  end
end
