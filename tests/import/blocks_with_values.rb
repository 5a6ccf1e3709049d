# Blocks of other methods that use what only means the same where they are written.
module BlocksWithValues
  def self.compared(list)
    list.map { |x| yield x }
  end
end

Puppet::Type.newtype(:blocks_with_values) do
  newparam(:name, namevar: true)

  newproperty(:desired, array_matching: :all) do
    def insync?(is)
      BlocksWithValues.compared(is) { |x| x == should }.all?
    end
  end

  newproperty(:current, array_matching: :all) do
    def insync?(is)
      BlocksWithValues.compared(should) { |x| is.include?(x) }.all?
    end
  end

  newparam(:named) do
    munge { |value| BlocksWithValues.compared([value]) { |x| "#{name}: it is #{x}" } }
  end

  newparam(:grouped) do
    munge do |value|
      next value unless value =~ /(a+)/

      BlocksWithValues.compared([value]) { |x| "#{x} should be #{$1}" }
    end
  end

  newparam(:own_group) do
    munge { |value| BlocksWithValues.compared([value]) { |x| x =~ /(a+)/ ? $1 : 'none is there' } }
  end

  newparam(:of_resource) do
    munge { |value| BlocksWithValues.compared([value]) { |x| "#{x} of #{resource[:name]}" } }
  end
end
