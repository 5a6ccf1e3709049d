Puppet::Type.type(:safe).provide(:web, parent: Puppet::Type.type(:lock).provider(:web)) do
  confine kernel: :Linux
end
