Puppet::Type.type(:gate).provide(:left) do
  if Facter.value(:kernel) == 'Linux'
    commands gate: 'gate'
  else
    raise Puppet::Error, 'not here'
  end
  defaultfor kernel: 'Linux' unless Facter.value(:virtual)
end

# It has no more than one of the methods of the feature.
Puppet::Type.type(:gate).provide(:without) do
  def turn; end
  undef_method :turn
end
