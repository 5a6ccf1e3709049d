# A command that is a secret, through a shell and without one; the script reads standard input, where nothing is.
#
# exits: 2 0
exec { 'shell':
  command  => Sensitive("cat > /srv/stdin; umask > /srv/umask; A='a b'\necho \"\$A\" >> /srv/umask"),
  path     => '/bin:/usr/bin',
  umask    => '027',
  provider => shell,
  creates  => '/srv/umask',
}
exec { 'posix':
  command => Sensitive('/bin/touch /srv/touched'),
  unless  => Sensitive('/usr/bin/test -e /srv/touched'),
}
