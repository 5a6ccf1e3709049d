# A web site.
define profile::site (
  Profile::Port $port,
  String $docroot = profile::docroot($title),
) {
  file { $docroot:
    ensure => directory,
  }

  file { "/etc/nginx/sites-enabled/${title}":
    content => "server { listen ${port}; root ${docroot}; }\n",
    notify  => Service['nginx'],
  }
}
