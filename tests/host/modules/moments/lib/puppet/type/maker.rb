# frozen_string_literal: true

# A type that generates a resource.
Puppet::Type.newtype(:maker) do
  @doc = 'Generates a moment.'

  newparam(:name, namevar: true)

  newparam(:log) do
    desc 'The log of the moment.'
  end

  def generate
    [Puppet::Type.type(:moment).new(name: "m-#{self[:name]}", log: self[:log], earlier: 'a')]
  end
end
