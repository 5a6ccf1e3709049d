Puppet::Type.type(:gate).provide(:by_case) do
  case Facter.value('os.family')
  when 'OpenBSD'
    commands gate: '/usr/local/bin/gate'
  when 'Debian', /^Red/
    commands gate: '/usr/bin/gate'
    has_feature :locking
  else
    Puppet.debug('any other system')
    confine kernel: 'Linux'
  end
end
