# A setting of a file: what most types of modules look like.
Puppet::Type.newtype(:lamp_config) do
  ensurable

  newparam(:name, :namevar => true) do
    desc 'Section/setting name'
    newvalues(/\S+\/\S+/)
  end

  newproperty(:value, :array_matching => :all) do
    desc <<-EOT
      The value
      of the setting.
    EOT
    def insync?(is)
      return false unless is.is_a? Array
      is & @should == is or is & @should.map(&:to_s) == is
    end
    munge do |value|
      value = value.to_s.strip
      value.capitalize! if value =~ /^(true|false)$/i
      value
    end
    def is_to_s(current)
      if resource.secret?
        return '[old secret redacted]'
      else
        return current
      end
    end
  end

  newparam(:secret, :boolean => true) do
    newvalues(:true, :false)
    defaultto false
  end

  newparam(:target) do
    defaultto('<SERVICE DEFAULT>')
  end

  autorequire(:anchor) do
    ['lamp::install::end']
  end

  validate do
    raise ArgumentError, 'secret what?' if self[:secret] && self[:value].nil?
  end
end
