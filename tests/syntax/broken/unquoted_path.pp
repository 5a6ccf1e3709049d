file { /etc/motd:
  ensure => file,
}
file { '/a':
  source => /srv/files/motd.txt,
  target => motd.d/local,
}
