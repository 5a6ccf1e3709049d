# A module as a value: what is asked of it is left in Ruby.
module Privileges
  def self.known
    %w[SELECT INSERT]
  end
end

Puppet::Type.newtype(:grant) do
  newparam(:name)

  newproperty(:privileges) do
    def self.vocabulary
      Privileges
    end

    validate do |value|
      raise ArgumentError, "unknown privilege #{value}" unless self.class.vocabulary.known.include?(value)
    end
  end
end
