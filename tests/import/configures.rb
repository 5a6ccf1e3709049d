# A `generate` that sets attributes of provider classes, and one that does more.
Puppet::Type.newtype(:configures) do
  newparam(:name, namevar: true)
  newparam(:url)

  def generate
    return [] if self[:url].nil?

    [Puppet::Type.type(:entity).provider(:api)].each do |provider_class|
      provider_class.url = self[:url]
    end
    []
  end
end

Puppet::Type.newtype(:configures_more) do
  newparam(:name, namevar: true)
  newparam(:url)

  def generate
    provider_class = Puppet::Type.type(:entity).provider(:api)
    provider_class.url = self[:url]
    self[:url] = 'used'
    []
  end
end
