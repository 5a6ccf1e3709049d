# What `should=` changes after the value was stored.
class StoredChangesSet < Puppet::Property
  def self.array_matching
    :all
  end

  def should=(values)
    super
    @should = @should.flatten.uniq
  end

  def insync?(is)
    is.sort == should.sort
  end
end

Puppet::Type.newtype(:stored_changes) do
  newparam(:name, namevar: true)

  newproperty(:members, parent: StoredChangesSet)

  newproperty(:sorted, array_matching: :all) do
    def should=(values)
      super(values)
      @should.map! { |v| v.to_s.downcase }
      @should.sort! if @should.all? { |v| v.is_a?(String) }
      @should
    end
  end

  newproperty(:logged, array_matching: :all) do
    def should=(values)
      super
      Puppet.debug("#{values} given")
    end
  end
end
