# A method that lists have here, and texts only in Ruby.
Puppet::Type.newtype(:timer) do
  newparam(:name)

  newparam(:seed) do
    defaultto { @resource[:name].to_s.sum.to_s }
  end

  newparam(:total) do
    munge { |value| value.split(",").map(&:to_i).sum }
  end
end
