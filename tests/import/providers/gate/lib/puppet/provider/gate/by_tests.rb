Puppet::Type.type(:gate).provide(:by_tests) do
  has_feature :counting unless %w[HP-UX Solaris].include?(Facter.value(:operatingsystem))
  if Facter.value(:kernel) == 'Linux'
    tool = '/usr/bin/gate'
  elsif File.exist?('/opt/gate')
    tool = '/opt/gate'
  else
    tool = 'gate'
  end
  commands gate: tool
  if respond_to?(:has_feature)
    has_feature :locking
  end
  if Puppet::Util::Package.versioncmp(Puppet.version, '3.4') >= 0
    has_command(:lock, 'lock') { environment LANG: 'C' }
  else
    commands lock: 'old-lock'
  end

  def turn; end

  def count; end
end
