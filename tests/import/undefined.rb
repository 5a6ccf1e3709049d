# Methods that nothing defines, and attributes that the type does not have: Ruby and Puppet refuse them when the code runs.
module PuppetX
  module Kiln
    module Words
      def known(value)
        value.to_s
      end
    end
  end
end

Puppet::Type.newtype(:kiln) do
  newparam(:name, namevar: true) do
    validate { |value| error 'a kiln needs a name' if value.empty? }
  end

  newproperty(:heat) do
    include PuppetX::Kiln::Words
    newvalues(/\A\d+\z/)
    validate do |value|
      super(value)
      validate_features_per_value(value)
      raise ArgumentError, "#{mismatch} #{known(value)}" if value == '0'
    end
  end

  newparam(:fuel) do
    # A class that was not read may define it.
    include PuppetX::Kiln::Elsewhere
    validate { |value| elsewhere(value) }
  end

  newparam(:mode) do
    # Puppet's modules have methods that are not listed.
    include Puppet::Util::SymbolicFileMode
    validate { |value| valid_symbolic_mode?(value) }
  end

  validate do
    raise ArgumentError, 'a kiln needs fuel' if self[:heat] && self[:wood].nil?
    raise ArgumentError, 'a kiln has no title' if self[:title]
    raise ArgumentError, 'a kiln has tags' if self[:tag]
  end
end

Puppet::Type.newtype(:stove) do
  newparam(:name, namevar: true)
  newparam(:lit, boolean: true)
  newparam(:door)
  newproperty(:heat) do
    # The name of a provider is that of its resource.
    munge { |value| "#{provider.name}-#{value}" }
  end

  validate do
    raise ArgumentError, 'only with a door' if lit? && door?
  end
end
