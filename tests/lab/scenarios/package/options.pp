# Options for apt, for one package.
#
# exits: 2 0
package { 'lab-top': ensure => installed, install_options => ['-o', { 'APT::Install-Recommends' => 'true' }] }
