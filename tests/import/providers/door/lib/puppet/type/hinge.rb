Puppet::Type.newtype(:hinge) do
  @doc = 'A line in the table of hinges.'
  feature :worn?, 'Tells whether it is worn.'

  newparam(:name, namevar: true)

  newproperty(:target) do
    desc 'The table.'
    defaultto do
      provider.class.default_target if provider.class.ancestors.include?(Puppet::Provider::ParsedFile)
    end
  end

  newproperty(:oil, required_features: :worn?) do
    def retrieve
      provider.worn? ? :dry : :oiled
    end
  end
end
