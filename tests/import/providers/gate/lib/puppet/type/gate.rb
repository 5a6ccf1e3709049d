Puppet::Type.newtype(:gate) do
  feature :locking, 'can be locked'
  feature :counting, 'counts who goes through'
  newparam(:name, namevar: true)
end
