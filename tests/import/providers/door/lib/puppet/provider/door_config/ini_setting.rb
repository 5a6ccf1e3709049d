Puppet::Type.type(:door_config).provide(
  :ini_setting,
  parent: Puppet::Type.type(:ini_setting).provider(:ruby)
) do
  def self.file_path
    '/etc/door.conf'
  end

  def file_path
    self.class.file_path
  end

  def section
    resource[:name].split('/', 2).first
  end

  def setting
    resource[:name].split('/', 2).last
  end

  def separator
    '='
  end
end
