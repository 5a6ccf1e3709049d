# Functions of stdlib, lines and settings in files, and packages, all in a class with an order.
#
# exits: 2 0
# compiled: yes
# setup:
#   printf '[a]\nx = 1\n' > /srv/app.ini; printf 'PATH=/bin\n#LANG=C\n' > /srv/env
class app {
  ensure_packages(['lab-tool'], { 'ensure' => '1.1' })
  $settings = { 'a' => { 'x' => '2', 'y' => ['p', 'q'].join(',') }, 'new section' => { 'z' => true } }
  $settings.each |$section, $pairs| { $pairs.each |$name, $value| {
    ini_setting { "${section} ${name}": path => '/srv/app.ini', section => $section, setting => $name, value => $value, require => Package['lab-tool'] }
  } }
  file_line { 'lang': path => '/srv/env', line => 'LANG=C.UTF-8', match => '^#?LANG=' }
  file_line { 'more': path => '/srv/env', line => "EDITOR='vi'", after => '^PATH=' }
  Ini_setting <| |> -> exec { 'after': command => '/bin/cp /srv/app.ini /srv/copy', creates => '/srv/copy' }
}
include app
