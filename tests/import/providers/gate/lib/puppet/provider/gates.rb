class Puppet::Provider::Gates < Puppet::Provider
  def self.home
    @home ||= case Facter.value('os.family')
              when 'OpenBSD' then '/usr/local/gates'
              else '/usr/share/gates'
              end
  end
end
