# frozen_string_literal: true

# A type whose blocks ask whether they have a catalog, and which resources are in it.
Puppet::Type.newtype(:moment) do
  @doc = 'A line in a log.'

  newparam(:name, namevar: true)

  newparam(:log) do
    desc 'The file that gets the line.'
  end

  newparam(:word) do
    desc 'Whether there was a catalog.'
    defaultto 'd'
    munge { |value| @resource.catalog ? "#{value}-in" : "#{value}-out" }
  end

  newparam(:earlier) do
    desc 'Whether the resource of this name was in the catalog.'
    munge do |value|
      found = @resource.catalog.nil? ? 'no catalog' : @resource.catalog.resource(:moment, value)
      found.nil? ? 'none' : found.to_s
    end
  end

  newparam(:late) do
    desc 'A value that `initialize` replaces.'
  end

  newproperty(:size) do
    desc 'Always different.'
    defaultto '2'

    def insync?(_is)
      @resource.catalog ? false : true
    end
  end

  def initialize(resource)
    super
    self[:late] = 'later' if self[:late].nil?
  end

  validate do
    raise Puppet::Error, 'made without a catalog' if self[:name] == 'm-refused' && !catalog
    raise Puppet::Error, 'declared with a catalog' if self[:name] == 'refused' && catalog
  end
end
