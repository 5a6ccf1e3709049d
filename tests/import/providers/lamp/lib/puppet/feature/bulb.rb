require 'puppet/util/feature'
Puppet.features.add(:bulb, libs: %w[json openssl])
