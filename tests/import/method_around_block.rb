# A method `munge` or `validate` and a block of the same name, which the method calls with super.
class Puppet::Parameter::Stripped < Puppet::Parameter
  def munge(value)
    super(value.to_s.strip)
  end
end

Puppet::Type.newtype(:label) do
  newparam(:name)

  newparam(:size, parent: Puppet::Parameter::Stripped) do
    munge { |value| value.size }
  end

  newparam(:text, parent: Puppet::Parameter::Stripped)

  newparam(:color) do
    validate { |value| raise ArgumentError, "no" if value == "no" }

    def validate(value)
      super unless value.is_a?(Hash)
    end
  end
end
