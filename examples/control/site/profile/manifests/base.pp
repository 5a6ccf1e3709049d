# What every node has.
class profile::base (Array[String] $packages) {
  package { $packages:
    ensure => installed,
  }

  file { '/etc/motd':
    ensure  => file,
    content => epp('profile/motd.epp', { 'packages' => $packages }),
  }
}
