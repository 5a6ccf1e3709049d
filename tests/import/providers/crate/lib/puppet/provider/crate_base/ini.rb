# A parent that says where settings are, and what some values mean.
Puppet::Type.type(:crate_base).provide(:ini, parent: Puppet::Type.type(:ini_setting).provider(:ruby)) do
  def exists?
    kept = Facter.value(:crate_kept) || 'KEEP'
    if resource[:value] == unwanted
      resource[:ensure] = :absent
    elsif resource[:value] == kept
      resource[:value] = value
      resource[:ensure] = :absent if value.nil?
    end
    super
  end

  def create
    written = converted(resource[:value])
    resource[:value] = written unless resource[:value] == written
    super
  end

  def value=(wanted)
    ini_file.set_value(section, setting, separator, converted(wanted))
    ini_file.save
  end

  def unwanted
    resource[:gone]
  end

  # Only some types can convert values.
  def converted(value)
    return value unless resource.class.validattr?(:converter)

    send(resource[:converter], value)
  end

  def section
    resource[:name].split('/', 2).first
  end

  def setting
    resource[:name].split('/', 2).last
  end

  def separator
    ':'
  end
end
