# A link stands where a file shall be: the link is replaced and its target left alone.
#
# exits: 2 0
# setup:
#   echo target > /srv/target; ln -s target /srv/a
file { '/srv/a': ensure => file, content => 'file' }
