if Facter.value(:kernel) == 'Linux'
  Puppet::Type.newtype(:branched) do
    newparam(:name, namevar: true)
    newproperty(:a)
    newproperty(:b) { newvalues(:x) }
  end
else
  Puppet::Type.newtype(:branched) do
    newparam(:name, namevar: true)
    newproperty(:a)
    newproperty(:c)
  end
end

Puppet::Type.newtype(:replaced) do
  newparam(:old, namevar: true)
end

Puppet::Type.newtype(:replaced) do
  newparam(:new, namevar: true)
end
