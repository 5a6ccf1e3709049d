# Quotes the value before it is compared.
Puppet::Type.type(:crate_config).provide(:quoting, parent: Puppet::Type.type(:crate_base).provider(:ini)) do
  def exists?
    if resource[:quoted] && !resource[:value].start_with?("'")
      resource[:value] = "'" + resource[:value] + "'"
    end
    super
  end

  def self.file_path
    '/etc/crate.conf'
  end
end
