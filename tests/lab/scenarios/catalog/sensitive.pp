# What is sensitive is written, and compared in the second run.
#
# exits: 2 0
# compiled: yes
class secret(Sensitive[String] $word) { file { '/srv/a': content => $word, mode => '0600' } ~> exec { '/bin/sh -c "wc -c < /srv/a > /srv/n"': refreshonly => true } }
class { 'secret': word => Sensitive("top secret\n") }
