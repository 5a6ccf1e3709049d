require_relative '../pump_base'

Puppet::Type.type(:pump).provide(:new, parent: Puppet::Provider::PumpBase) do
  desc 'Pumps with a panel that is new.'
  confine feature: :posix
  defaultfor feature: :posix
end
