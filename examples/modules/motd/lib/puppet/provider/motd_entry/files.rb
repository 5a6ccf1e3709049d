Puppet::Type.type(:motd_entry).provide(:files) do
  desc 'A file for each entry.'

  confine kernel: :Linux
  confine exists: '/etc/motd.entries'
  defaultfor osfamily: :debian
  commands run_parts: 'run-parts'

  def exists?
    File.exist?("/etc/motd.entries/#{resource[:name]}")
  end
end
