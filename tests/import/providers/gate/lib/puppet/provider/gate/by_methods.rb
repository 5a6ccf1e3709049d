require 'puppet/provider/gates'
require 'puppet_x/gates'
Puppet::Type.type(:gate).provide(:by_methods, parent: Puppet::Provider::Gates) do
  TOOL = Facter.value(:kernel) == 'windows' ? 'gate.exe' : 'gate'

  def self.lock
    return '/usr/bin/lock' if File.exist?('/usr/bin/lock')

    'lock'
  end

  def self.asks_machine
    gate('--version').include?('2')
  end

  commands tool: TOOL, other: PuppetX::Gates.tool
  commands gate: "#{home}/bin/gate", bare: home
  commands found: Puppet::Util.which('gate'), either: Puppet::Util.which('gate') || '/usr/bin/gate'
  has_command(:lock, lock) { environment LANG: 'C' }
  has_feature :locking if lock
  confine true: asks_machine
  confine true: PuppetX::Gates.installed?
end
