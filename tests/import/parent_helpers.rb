# Methods of the class that an attribute builds upon, and Puppet's own, called by the methods of the attribute.
class Puppet::Property::Roster < Puppet::Property
  def self.array_matching
    :all
  end

  def tidy(list)
    list.map { |entry| entry.to_s.strip }.reject(&:empty?).sort
  end

  def insync?(is)
    tidy(is) == tidy(should)
  end

  def is_to_s(value)
    tidy(value).join(' ')
  end
end

Puppet::Type.newtype(:team) do
  ensurable do
    newvalue(:present) { provider.create }
    newvalue(:absent) { provider.destroy }

    def change_to_s(current, wanted)
      wanted == :absent ? 'dissolved' : "from #{is_to_s(current)} to #{should_to_s(wanted)}"
    end
  end

  newparam(:name, namevar: true)

  newproperty(:members, parent: Puppet::Property::Roster) do
    def insync?(is)
      return true if is.is_a?(Array) && tidy(is - ['captain']) == tidy(should - ['captain'])
      super
    end

    def change_to_s(current, wanted)
      "#{is_to_s(current)} become #{should_to_s(wanted)}"
    end
  end

  # Its own method counts.
  newproperty(:guests, parent: Puppet::Property::Roster) do
    def is_to_s(value)
      value.length.to_s
    end

    def change_to_s(current, wanted)
      "#{is_to_s(current)} become #{wanted.length}"
    end
  end
end
