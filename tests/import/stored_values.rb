# A `should=` that is not understood, and the `should` that gives what it stores.
Puppet::Type.newtype(:hoard) do
  newparam(:name, namevar: true)

  newproperty(:coins, array_matching: :all) do
    def should=(values)
      values = [values] unless values.is_a?(Array)
      values.each { |value| validate(value) }
      @should = values.flat_map { |value| value.split(',').map { |part| munge(part.strip) } }.uniq.sort
    end

    def should
      @should
    end
  end
end
