Puppet::Type.type(:latch).provide(:web) do
  confine kernel: :Linux
end
