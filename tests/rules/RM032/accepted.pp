file { '/a': source => '/b' }
file { '/c': audit => content }
service { 'd': }
exec { '/bin/true': }
notify { 'e': }
anchor { 'f': }
schedule { 'g': }
user { 'h': }
package { 'i': }
tidy { '/j': age => '1d' }
