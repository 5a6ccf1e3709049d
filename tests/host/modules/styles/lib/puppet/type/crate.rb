# frozen_string_literal: true

Puppet::Type.newtype(:crate) do
  @doc = 'Providers that inherit from each other and have different features.'

  feature :colours, 'has colours', methods: [:color, :color=]
  feature :sizes, 'has sizes'
  ensurable
  newparam(:name, namevar: true)
  newparam(:log)
  newproperty(:color, required_features: :colours)
  newproperty(:size, required_features: %w[sizes])
  newproperty(:other)
end
