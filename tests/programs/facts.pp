# Facts of Facter are known with their members; modules can have others.
class a {
  notice($facts['os']['famly'], $facts['os']['release']['majr'], $facts['networking']['interfaces']['eth0']['ip'])
  notice($facts['kernell'], $facts['anything'], $facts[$title]['x'], $facts['os'][$title])
  notice($osfamily, $::operatingsystem, "${::ipaddress_eth0} ${fqdn}", $facts['processorcount'], $clientcert)
  if $facts['os']['release']['major'] >= 9 { notice(1) }
  if $facts['os']['release']['major'] == 9 { notice(2) }
  if 9 != $::operatingsystemmajrelease { notice(3) }
  if $facts['is_virtual'] == 'true' { notice(4) }
  if $facts['os']['release']['major'] >= '9' and $facts['processors']['count'] > 2 { notice(5) }
  if versioncmp($facts['os']['release']['full'], '9.1') > 0 { notice(6) }
  case $facts['os']['family'] {
    'Debian', 'debian': { notice(7) }
    /Red/, /red/: { notice(8) }
    default: { notice(9) }
  }
}
