# Removes another setting than the one that it reads.
Puppet::Type.type(:crate_config).provide(:elsewhere, parent: Puppet::Type.type(:crate_base).provider(:ini)) do
  def destroy
    ini_file.remove_setting('main', setting)
    ini_file.save
  end

  def self.file_path
    '/etc/crate.conf'
  end
end
