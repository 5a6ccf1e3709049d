# Features whose methods write properties: a provider has one if its class has all of the methods.
Puppet::Type.newtype(:volume) do
  feature :resizable, "Can be resized.", methods: [:size=]
  feature :labelled, "Has a label.", methods: %i[label label= relabel!]

  newparam(:name)
  newproperty(:size, required_features: :resizable)
  newproperty(:label, required_features: :labelled)
end

Puppet::Type.type(:volume).provide(:writes) do
  def size
    "1"
  end

  def size=(value)
  end
end

Puppet::Type.type(:volume).provide(:reads) do
  def size
    "1"
  end
end
