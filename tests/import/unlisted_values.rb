# Listed values in attributes whose class checks or converts values itself, and changes that a copy shows.
class UnlistedInteger < Puppet::Property
  validate do |value|
    raise ArgumentError, "#{name} should be an Integer" unless value.to_s == 'absent' || value.to_s =~ /^[-+]?\d+$/
  end
  munge { |v| v.to_s == 'absent' ? :absent : v.to_i }
end

class UnlistedText < Puppet::Parameter
  validate { |v| raise ArgumentError, "no text: #{v}" unless v.is_a?(String) }
end

class UnlistedError < StandardError
  def initialize(message = 'default')
    super("E: #{message}")
  end
end

Puppet::Type.newtype(:unlisted_values) do
  newparam(:name, namevar: true)
  newproperty(:interval, parent: UnlistedInteger) { newvalues(/^[0-9]+$/, :absent) }
  newparam(:mode, parent: UnlistedText) { newvalues(:quick, /^[wd]/) }
  newparam(:pattern, parent: UnlistedText) { newvalues(/^[wd]/) }
  newparam(:plain, parent: UnlistedText)

  newparam(:chained) { munge { |v| a = b = [v]; b << 1; a } }
  newparam(:shallow) { munge { |v| h = { a: { b: 1 } }; g = h.dup; g[:a][:b] = v; h } }
  newparam(:copied) { munge { |v| h = { a: { b: 1 } }; g = h.dup; g[:c] = v; h } }
  newparam(:repeated) { munge { |v| a = [[]] * 2; a[0] << v; a } }

  newproperty(:all, array_matching: :all) { def insync?(is) super(is.to_s) end }
  newproperty(:assigned, array_matching: :all) { def insync?(is) is = is.to_s; super end }

  newparam(:formatted) do
    def format(v) "format-#{v}" end
    munge { |v| format(v) }
  end

  newparam(:error) do
    munge do |v|
      begin
        raise UnlistedError, v.to_s
      rescue UnlistedError => e
        e.message
      end
    end
  end
end
