# What `set_sensitive_parameters` adds to the list is sensitive, too.
Puppet::Type.newtype(:strongbox) do
  newparam(:name, namevar: true)

  newproperty(:code)

  newproperty(:key)

  newproperty(:phrase)

  newproperty(:color)

  def set_sensitive_parameters(sensitive_parameters)
    sensitive_parameters << :code
    sensitive_parameters = sensitive_parameters.reject { |p| p == :color } + [:key]
    super(sensitive_parameters | [:phrase])
  end
end
