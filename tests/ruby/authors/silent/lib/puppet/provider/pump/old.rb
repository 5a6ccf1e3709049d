require_relative '../pump_base'

Puppet::Type.type(:pump).provide(:old, parent: Puppet::Provider::PumpBase) do
  desc 'Pumps with a panel that is old.'
  confine feature: :posix
  defaultfor feature: :posix
end
