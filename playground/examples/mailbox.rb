Puppet::Type.newtype(:mailbox) do
  @doc = 'A mailbox on a mail server.'

  ensurable

  newparam(:address, namevar: true) do
    desc 'The address of the mailbox.'
    munge { |value| value.downcase }
    validate do |value|
      raise ArgumentError, "#{value} is not an address" unless value =~ /\A[^@\s]+@[^@\s]+\z/
    end
  end

  newproperty(:quota) do
    desc 'The maximum size in megabytes.'
    newvalues(/\A\d+\z/)
    munge { |value| Integer(value) }
    defaultto 1024
  end

  newproperty(:forward, array_matching: :all) do
    desc 'Addresses that receive a copy of each message.'
    def insync?(is)
      is.sort == should.sort
    end
  end
end
