Puppet::Type.type(:crate_config).provide(:plain, parent: Puppet::Type.type(:crate_base).provider(:ini)) do
  def self.file_path
    '/etc/crate.conf'
  end
end
