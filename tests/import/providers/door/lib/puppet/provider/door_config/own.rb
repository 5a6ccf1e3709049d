Puppet::Type.type(:door_config).provide(:own, parent: Puppet::Type.type(:ini_setting).provider(:ruby)) do
  def exists?
    File.exist?('/etc/door.conf') && super
  end
end
