# A file, a section and settings are made.
#
# exits: 2 0
# set: small
ini_setting { 'one': path => '/srv/a.ini', section => 'main', setting => 'one', value => '1' }
ini_setting { 'two': path => '/srv/a.ini', section => 'main', setting => 'two', value => 'b c' }
ini_setting { 'top': path => '/srv/a.ini', setting => 'top', value => 'yes' }
ini_setting { 'other': path => '/srv/a.ini', section => 'other', setting => 'three', value => '3', key_val_separator => '=' }
