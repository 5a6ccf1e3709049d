Puppet::Type.type(:gate).provide(:left) do
  if Facter.value(:kernel) == 'Linux'
    commands gate: 'gate'
  else
    raise Puppet::Error, 'not here'
  end
  defaultfor kernel: 'Linux' unless Facter.value(:virtual)
end
