chest = '/dev/door'

Puppet::Type.type(:door).provide(:iron, parent: Puppet::Provider::ShopDoor) do
  if Facter.value(:kernel) == 'Linux'
    commands bolt: '/sbin/bolt', key: 'key'
  else
    commands bolt: '/usr/sbin/bolt'
  end

  confine exists: chest
  confine exists: "#{chest}/#{Facter.value(:hostname)}"
  mk_resource_methods

  strength = Facter.value(:strength)
  if strength && Puppet::Util::Package.versioncmp(strength, '3.2') >= 0
    has_feature :wide
  end
end
