# A param whose class is one of properties, and that is the namevar: Puppet never compares it. The last property is compared last, though it
# has the name of the namevar.
class TierText < Puppet::Property
  def insync?(is)
    is.to_s == should.to_s
  end
end

Puppet::Type.newtype(:tier) do
  newparam(:tier, namevar: true, parent: TierText)
  newproperty(:memory, parent: TierText)
end

Puppet::Type.newtype(:bucket) do
  newparam(:name, namevar: true)
  newproperty(:size, parent: TierText)
  newproperty(:name, parent: TierText)
end
