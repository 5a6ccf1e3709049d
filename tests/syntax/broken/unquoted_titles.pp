service { nginx.service: ensure => running }
package { libfoo-1.2: ensure => installed }
