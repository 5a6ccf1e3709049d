# What Puppet's objects tell of the declaration, of facts and of types.
Puppet::Type.newtype(:spool) do
  newparam(:name, namevar: true)
  newparam(:wire)
  newparam(:color) do
    defaultto 'grey'
    validate do |value|
      raise ArgumentError, 'a color needs a wire' if value == 'red' && resource.original_parameters[:wire].nil?
    end
  end

  newproperty(:turns, array_matching: :all) do
    # All that is given, not the element that is looked at.
    validate do |value|
      raise ArgumentError, "one of #{@shouldorig.size}" if @shouldorig.is_a?(Array) && @shouldorig.size > 3
    end
  end

  newparam(:place) do
    defaultto { Facter.fact(:kernel).value }
    munge { |value| Facter[:os].nil? ? value : "#{value} of #{resource.class.name}" }
  end

  # No setting of the language.
  newparam(:directory) do
    defaultto { Puppet[:vardir] }
  end

  validate do
    raise Puppet::Error, 'wire is needed' if original_parameters[:wire].nil?
    raise Puppet::Error.new('turns are needed', nil) unless @original_parameters.key?(:turns)
    raise Puppet::Error, "#{self[:color]} of #{to_hash[:wire]}" if original_parameters.fetch(:color, 'grey') == 'blue'
    raise ArgumentError.new if provider.nil?
    raise Puppet::Error, 'no files' unless Puppet::Type.type(:file)
    raise Puppet::Error, 'no type' if Puppet::Type.type(self[:wire]).nil?
  end
end

Puppet::Type.type(:spool).provide(:winder)
