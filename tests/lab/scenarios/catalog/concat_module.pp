# The defined types of the module concat, with a template and a validation, for a class that is notified.
#
# exits: 2 2
# compiled: yes
# between:
#   echo 'port 9999' > /srv/app.conf
class app::service { exec { 'restart': command => '/bin/sh -c "echo restart >> /srv/log"', refreshonly => true } }
class app(Integer $port = 8080, Hash $extra = { 'b' => 2, 'a' => [1, 2] }) {
  concat { '/srv/app.conf': owner => 'games', group => 'games', mode => '0640', warn => true, ensure_newline => true, backup => false, validate_cmd => '/bin/grep -q port %', notify => Class['app::service'] }
  concat::fragment { 'head': target => '/srv/app.conf', content => "port ${port}", order => 1 }
  $extra.each |$key, $value| { concat::fragment { "x ${key}": target => '/srv/app.conf', order => '10', content => inline_epp('<%= $k %> = <%= $v %>', { 'k' => $key, 'v' => $value }) } }
}
include app
include app::service
