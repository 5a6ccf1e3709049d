if Puppet.features.posix?
  Puppet.features.add(:flint, libs: LIBRARIES)
end
