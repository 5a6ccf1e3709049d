# What runs behind the rules, what writes other attributes, what makes resources.
def masked(address)
  begin
    uri = URI.parse(address)
  rescue URI::InvalidURIError
    return 'bad'
  end
  uri.host
end

Puppet::Type.newtype(:parcel) do
  def initialize(*args)
    super
    self[:stamps] = Array(self[:stamps]).sort!
  end

  ensurable

  def exists?
    self[:ensure] == :present
  end

  def create
    provider.create
  end

  newparam(:name, namevar: true)
  newparam(:street)

  newparam(:road) do
    munge { |value| resource[:street] = value }
  end

  newparam(:house) do
    munge do |value|
      if value == 'first'
        resource[:street] = 'Main'
      else
        value
      end
    end
  end

  newparam(:kind) do
    newvalues(nil, :letter, :box)
    munge { |value| resource[:street] = value }
  end

  newproperty(:stamps, array_matching: :all)

  newproperty(:sender, required_features: :senders) do
    def is_to_s(value)
      masked(value)
    end
  end

  validate do
    raise ArgumentError, 'where?' unless self[:street]
  end

  def label
    return @label if @label
    @label = ''
    Array(self[:stamps]).each do |stamp|
      if stamp == 'gold'
        @label = stamp
        break
      end
    end
    @label << '!'
    @label
  end

  def generate
    options = { name: "#{self[:name]}-bill", owner: label }
    [:street, :road].each { |key| options[key] = self[key] unless self[key].nil? }
    [Puppet::Type.type(:bill).new(options)]
  end

  def eval_generate
    catalog.resource("Bill[#{self[:name]}-bill]")[:paid] = true
    [catalog.resource("Bill[#{self[:name]}-bill]")]
  end
end

Puppet::Type.newtype(:tagged_parcel) do
  def initialize(args)
    super
    self[:tag] += ['parcel']
  end

  newparam(:name, namevar: true)
end

Puppet::Type.newtype(:weighed_parcel) do
  def initialize(args)
    super
    self[:weight] = Scales.weigh(self[:name])
  end

  newparam(:name, namevar: true)
  newparam(:weight)
end
