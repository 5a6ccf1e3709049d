Puppet.features.add(:torch) { Puppet::Util.which('torch') }
