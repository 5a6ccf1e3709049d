# A package from a file.
#
# exits: 2 0
package { 'lab-tool':
  ensure   => installed,
  provider => dpkg,
  source   => '/var/lib/lab/packages/lab-tool_1.1.deb',
}
