# frozen_string_literal: true

# Each provider of this type is written in another style.
Puppet::Type.newtype(:jar) do
  @doc = 'Something whose providers log each method that changes it.'

  ensurable

  newparam(:name, namevar: true)

  newparam(:log) do
    desc 'The file that gets the names of the methods.'
  end

  newproperty(:size) do
    desc 'A number.'
    munge { |value| Integer(value) }
  end

  newproperty(:word) do
    desc 'A text.'
  end

  newproperty(:list, array_matching: :all) do
    desc 'A list.'
  end

  newproperty(:state) do
    desc 'One of two values.'
    newvalues(:on, :off)
  end

  def note(text)
    File.write(self[:log], "#{self[:name]} #{text}\n", mode: 'a')
  end
end
