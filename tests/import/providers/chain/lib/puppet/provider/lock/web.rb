Puppet::Type.type(:lock).provide(:web, parent: Puppet::Type.type(:latch).provider(:web)) do
  confine kernel: :Linux
end
