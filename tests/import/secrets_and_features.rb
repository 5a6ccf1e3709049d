# `set_sensitive_parameters` of several forms, and features whose methods end with `!`.
Puppet::Type.newtype(:vault) do
  feature :locking, 'Vaults can be locked.', methods: [:lock!, :unlock!, :locked?]

  newparam(:name, namevar: true)

  newparam(:code)

  newproperty(:hash)

  newproperty(:hint)

  newproperty(:locked, required_features: :locking) do
    newvalues(:true, :false)
  end

  def set_sensitive_parameters(sensitive_parameters)
    if sensitive_parameters.include?(:code)
      sensitive_parameters -= [:code]
      parameter(:code).sensitive = true if parameter(:code)
      parameter(:hash).sensitive = true
    end
    super(sensitive_parameters)
  end
end

Puppet::Type.type(:vault).provide(:steel) do
  if Puppet::PUPPETVERSION.to_f < 3
    commands vault: '/old/vault'
  else
    commands vault: '/usr/bin/vault'
  end
  has_feature :locking
end
