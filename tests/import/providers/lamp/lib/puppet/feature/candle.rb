Puppet.features.add(:candle, libs: 'candle-sdk')
