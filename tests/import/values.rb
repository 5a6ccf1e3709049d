Puppet::Type.newtype(:signpost) do
  newparam(:name, namevar: true)

  newproperty(:arrows) do
    validate do |value|
      raise ArgumentError "arrows are texts" unless value.respond_to?(:each) || value.respond_to?(:strip)
    end
  end

  newproperty(:lanes) do
    validate do |value|
      fail unless [1, *(5..9), 12].include?(value.to_i)
      raise Puppet::Error "no lanes" if (1..value.to_i).map { |n| n * 2 }.include?(8)
    end
    munge { |value| (0...value.to_i).to_a.last }
  end

  newproperty(:address) do
    validate do |value|
      raise ArgumentError, 'an address' unless value =~ Resolv::IPv4::Regex || value =~ ::Resolv::IPv6::Regex
    end
  end

  newproperty(:other) do
    # The kinds of the ends are not known.
    munge { |value| (value..'z').to_a }
  end
end

Puppet::Type.newtype(:crossing) do
  newparam(:name, namevar: true)
  newparam(:road)

  autorequire(:signpost) do
    posts = []
    catalog.resources.each do |resource|
      if resource.class.to_s == 'Puppet::Type::Signpost'
        posts << resource.name if resource[:address] == self[:road]
      end
    end
    catalog.resources.each do |resource|
      if resource.is_a?(Puppet::Type.type(:signpost)) && !self[:road].nil?
        posts << resource[:lanes]
      end
    end
    posts
  end
end
