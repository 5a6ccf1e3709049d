# Formats of properties whose `super` is that of Puppet, methods of other attributes, and defaults of parameters.
class FormatSupersValue < Puppet::Property
  def is_to_s(value)
    hidden? ? '[old]' : super
  end

  def should_to_s(value)
    hidden? ? '[new]' : super(value)
  end

  def hidden?
    resource[:show] == :no
  end
end

Puppet::Type.newtype(:format_supers) do
  newparam(:name, namevar: true)

  newparam(:show) do
    newvalues(:yes, :no)
    defaultto :yes
  end

  newproperty(:value, parent: FormatSupersValue) do
    def should_to_s(value)
      text = super
      text.length > 10 ? "#{text[0, 7]}..." : text
    end

    def convert(value, kind)
      kind == :integer ? Integer(value) : value
    end
  end

  newproperty(:other, parent: FormatSupersValue)

  newproperty(:size) do
    def insync?(is)
      bytes(is) == bytes
    end

    def bytes(size = should)
      size.to_s.end_with?('k') ? size.to_i * 1024 : size.to_i
    end
  end

  validate do
    self[:value] = property(:value).convert(self[:value], :integer) if self[:value]
  end
end
