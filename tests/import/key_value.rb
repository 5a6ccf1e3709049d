# Settings of properties with keys and values, and parameter objects in locals.
Puppet::Type.newtype(:key_value) do
  newparam(:name)

  newproperty(:labels, parent: Puppet::Property::KeyValue) do
    self.log_only_changed_or_new_keys = true if respond_to?(:log_only_changed_or_new_keys=)

    def membership
      :label_membership
    end

    def delimiter
      ' '
    end
  end

  newproperty(:marks, parent: Puppet::Property::KeyValue) do
    self.log_only_changed_or_new_keys = false
  end

  # Other properties have no such setting.
  newproperty(:plain) do
    self.log_only_changed_or_new_keys = true if respond_to?(:log_only_changed_or_new_keys=)
  end

  newproperty(:members, array_matching: :all)
  newparam(:label_membership)
  newparam(:key_value_membership)

  autorequire(:user) do
    if members = self.parameter(:members) and self[:plain] != :absent
      members.should.reject { |m| m.include?('/') }
    end
  end
  autorequire(:group) do
    plain = parameter(:plain)
    plain && plain.value
  end
end
