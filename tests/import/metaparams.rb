# Metaparameters and other additions to all types, before and after the type and in other classes.
Puppet::Type.newmetaparam(:colour) do
  desc 'The colour.'
end

class Puppet::Type
  newmetaparam(:shade) { desc 'The shade.' }

  validate do
    fail 'no colour' unless self[:name]
  end

  def pre_run_check
    fail 'not today'
  end
end

# Puppet adds an attribute to the class itself only.
Puppet::Type.newparam(:extra) { desc 'Never used.' }

Puppet::Type.newtype(:metaparams) do
  @doc = 'A type with metaparameters.'
  newparam(:name) { isnamevar }
end

Puppet::Type.newtype(:own_rules) do
  @doc = 'A type with a rule of its own.'
  newparam(:name) { isnamevar }
  validate { fail 'no name' unless self[:name] }
  def pre_run_check
    fail 'never'
  end
end

Puppet::Type.type(:file).newmetaparam(:tint) { desc 'The tint.' }
