# nginx with the sites of the node.
class profile::web (Hash[String, Hash] $sites, Sensitive[String] $password) {
  package { 'nginx':
    ensure => installed,
  }

  service { 'nginx':
    ensure => running,
    enable => true,
  }

  user { 'deploy':
    ensure   => present,
    password => $password,
  }

  create_resources('profile::site', $sites)

  Package['nginx'] -> Profile::Site <| |>
}
