# frozen_string_literal: true

Puppet::Type.newtype(:signal) do
  @doc = 'A type without providers that hides its values.'

  newparam(:name, namevar: true)
  newparam(:log)
  newproperty(:state) do
    newvalue(:up, event: :went_up) { resource.note('up') }
    newvalue(:down) { resource.note('down') }
    def retrieve
      resource.state
    end
  end
  newproperty(:secret) do
    def retrieve
      'old'
    end

    def set(v)
      resource.note("secret #{v.size}")
    end

    def change_to_s(_is, _should)
      'changed the secret'
    end

    def is_to_s(_v)
      '[old]'
    end

    def should_to_s(_v)
      '[new]'
    end
  end
  def note(t)
    File.write(self[:log], "#{self[:name]} #{t}\n", mode: 'a')
  end

  def state
    :down
  end
end
