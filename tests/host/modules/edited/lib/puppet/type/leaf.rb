# frozen_string_literal: true

# A type that is imported and then edited.
Puppet::Type.newtype(:leaf) do
  @doc = 'A line in a log for each property that is set.'

  newparam(:name, namevar: true)

  newparam(:log) do
    desc 'The file that gets the lines.'
  end

  newparam(:depth) do
    desc 'A number with a default.'
    defaultto '3'
  end

  newparam(:note) do
    desc 'An attribute without blocks.'
  end

  newparam(:secret) do
    desc 'A secret.'
    sensitive true
    munge { |value| value.downcase }
  end

  newproperty(:color) do
    desc 'A value that is converted.'
    munge { |value| value.downcase }
  end

  newproperty(:size) do
    desc 'A number that is checked.'
    validate { |value| raise ArgumentError, "#{value} is too large" if value.to_i > 9 }
    munge { |value| value.to_i }
  end

  newproperty(:kind) do
    desc 'One of a few values.'
    newvalues(:soft, :hard)
  end

  newproperty(:marks, array_matching: :all) do
    desc 'A list.'
    munge { |value| value.to_s.upcase }
  end

  newproperty(:shape) do
    desc 'A value whose conversion is left in Ruby.'
    munge { |value| ObjectSpace.count_objects.fetch(:TOTAL).positive? ? value.reverse : nil }
  end

  validate do
    raise ArgumentError, 'a leaf has a colour or a size' if self[:color] == 'none' && self[:size].nil?
  end
end
