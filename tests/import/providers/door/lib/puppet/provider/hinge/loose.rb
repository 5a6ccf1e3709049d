# A branch that does more is not understood.
case Facter.value(:kernel)
when 'Linux'
  note = '/etc/loose'
  note += '.d'
else
  note = '/loose'
end

Puppet::Type.type(:hinge).provide(:loose) do
  confine exists: note
end
