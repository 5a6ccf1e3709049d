# frozen_string_literal: true

Puppet::Type.newtype(:pointer) do
  @doc = 'A link whose `ensure` has its own values.'

  newparam(:path, namevar: true)
  newparam(:to)
  newproperty(:ensure) do
    newvalue(:linked, event: :link_made) { provider.link }
    newvalue(:absent) { provider.unlink }
    aliasvalue(:present, :linked)
    defaultto :linked
    def retrieve
      provider.linked? ? :linked : :absent
    end
  end
  autorequire(:file) { File.dirname(self[:path]) }
end
