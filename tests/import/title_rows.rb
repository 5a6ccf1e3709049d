# A title pattern that sets an unknown attribute: Puppet refuses the titles that match it, and no other pattern is tried.
Puppet::Type.newtype(:seat) do
  newparam(:name, namevar: true)
  newparam(:row)
  newproperty(:color)
  def self.title_patterns
    [
      [/\A(\d+)\z/, [[:name]]],
      [/\A(\w+)-(\w+)\z/, [[:name], [:line]]],
      [/\A(\w+)-(\w+)-?\z/, [[:name], [:row]]],
      [/\A(?<a>\w+)\/(?<b>\w+)\z/, [[:name], [:line]]],
      [/\A(.*)\z/m, [[:name]]]
    ]
  end
end
