# Libraries that come with Ruby.
Puppet::Type.type(:lamp).provide(:bulb) { confine feature: :bulb }
# Libraries of a gem.
Puppet::Type.type(:lamp).provide(:candle) { confine feature: :candle }
# A block.
Puppet::Type.type(:lamp).provide(:torch) { confine feature: :torch }
# Libraries that are not known.
Puppet::Type.type(:lamp).provide(:flint) { confine feature: [:bulb, :flint], kernel: 'Linux' }
# No file.
Puppet::Type.type(:lamp).provide(:star) { confine feature: :star }
