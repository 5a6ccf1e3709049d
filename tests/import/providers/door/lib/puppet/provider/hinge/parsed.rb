# Where the table is depends on the machine; where that is not known, it fails.
case Facter.value(:osfamily)
when 'Plan9', 'Inferno'
  table = '/lib/hinges'
when 'windows'
  require 'hinges'
  table = Hinges.path
else
  table = '/etc/hinges'
end

Puppet::Type.type(:hinge).provide(:parsed, parent: Puppet::Provider::ParsedFile, default_target: table) do
  confine exists: table
  has_feature :worn?

  def worn?
    @property_hash[:worn]
  end
end
