# What blocks ask of the catalog and of its resources.
Puppet::Type.newtype(:ledger) do
  newparam(:name, namevar: true)
  newparam(:owner)
  newproperty(:pages) do
    validate do |value|
      if resource.catalog && resource.catalog.resource('Ledger[main]').nil?
        raise ArgumentError, "#{value} needs the main ledger"
      end
    end
  end

  # Resources of its own class, which is loaded.
  autorequire(:clerk) do
    names = []
    catalog.resources.each do |resource|
      if resource.instance_of?(::Puppet::Type::Ledger)
        names << resource.name
      end
    end
    names
  end

  # Puppet has loaded the type that a relation names.
  autorequire(:pen) do
    catalog.resources.select { |r| r.class == Puppet::Type::Pen }.map { |r| r.title }
  end

  # Others of its own type.
  autorequire(:ledger) do
    next unless self[:owner]
    catalog.resources.select { |r| r.is_a?(self.class) && r != self && r[:owner] == self[:owner] }.map(&:name)
  end

  # Of another class, which may not be loaded.
  autorequire(:desk) do
    names = []
    catalog.resources.each do |r|
      names << r[:name] if r.class == Puppet::Type::Clerk
    end
    names
  end

  autorequire(:shelf) do
    found = catalog.resources.grep(Puppet::Type.type(:shelf))
    all = []
    all << found unless found.empty?
    all.flatten!
    all.each { |r| debug "after #{r}" }
    all
  end

  autobefore(:drawer) do
    cat = catalog
    drawers = cat.resources.map { |r|
      next unless r.is_a?(Puppet::Type.type(:drawer)) || r.class.to_s == 'Puppet::Type::Cupboard'

      r if r[:label] == self[:name]
    }.compact
    drawers.map { |d| d.title }
  end

  autonotify(:bell) do
    last = nil
    catalog.resources.each do |r|
      next if r.type != :bell
      last = r if r.parameter(:loud) && r.parameters[:loud].value == :true
    end
    last ? [last.ref] : []
  end

  autosubscribe(:clock) do
    @catalog.resource_refs.include?("Clock[#{self[:name]}]") ? catalog.resource("Clock[#{self[:name]}]")[:name] : nil
  end

  autorequire(:stool) do
    catalog.resources.select { |r| r.type == :stool }.max_by(&:title)&.title
  end

  validate do
    if catalog
      twin = catalog.resources.find { |r| (r.type == type) && r[:owner] == self[:owner] && r.class.validproperty?(:pages) && r.should(:pages) }
      raise Puppet::Error, "#{twin} of #{twin.file}:#{twin.line} has the same owner as #{file}:#{line}" if twin
    end
  end
end
