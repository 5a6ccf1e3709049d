# Refuses to write the file of another program.
Puppet::Type.type(:crate_config).provide(:guarded, parent: Puppet::Type.type(:crate_base).provider(:ini)) do
  def create
    raise Puppet::Error, 'no directory' unless File.directory?('/etc/crate')

    super
  end

  def self.file_path
    '/etc/crate/crate.conf'
  end
end
