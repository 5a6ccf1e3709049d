# A title pattern that only accepts titles: it fills no attribute.
Puppet::Type.newtype(:vlan) do
  def self.title_patterns
    [
      [/\A(\w+):(\d+)\z/, [[:device], [:number]]],
      [/\A[a-z].*\z/i, []],
    ]
  end

  newparam(:device, namevar: true)
  newparam(:number, namevar: true)
end
