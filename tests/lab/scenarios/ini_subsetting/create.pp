# The setting is made.
#
# exits: 2 0
ini_subsetting { 'max': path => '/srv/a.ini', section => '', setting => 'JAVA_ARGS', subsetting => '-Xmx', value => '512m', key_val_separator => '=' }
