# frozen_string_literal: true

# Generates resources in a way that cannot be translated.
Puppet::Type.newtype(:herald) do
  @doc = 'Generates other resources.'

  newparam(:name, namevar: true) do
    desc 'A name.'
  end

  newparam(:dir) do
    desc 'The directory of the generated resource.'
  end

  def generate
    ObjectSpace.garbage_collect
    [Puppet::Type.type(:keeper).new(name: self[:name], dir: self[:dir])]
  end
end
