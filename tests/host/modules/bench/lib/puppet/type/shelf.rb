# frozen_string_literal: true

# Where the vases of a run are, if they do not say so: a setting of their provider.
Puppet::Type.newtype(:shelf) do
  @doc = 'The place of vases without a directory.'

  newparam(:name, namevar: true)

  newparam(:dir) do
    desc 'The directory.'
  end

  def generate
    [Puppet::Type.type(:vase).provider(:file)].each do |provider_class|
      provider_class.shelf = self[:dir]
    end
    []
  end
end
