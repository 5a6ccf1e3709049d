class Puppet::Provider::PumpBase < Puppet::Provider
  def self.inherited(provider)
    provider.confine true: (panel && panel.kind == provider.name)
  end
end
