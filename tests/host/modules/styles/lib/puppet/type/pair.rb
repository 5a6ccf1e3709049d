# frozen_string_literal: true

Puppet::Type.newtype(:pair) do
  @doc = 'A file with two names, which the title may contain.'

  ensurable
  def self.title_patterns
    [[/\A([^:]+):(.+)\z/m, [[:host], [:key]]], [/\A([^:]+)\z/m, [[:key]]]]
  end
  newparam(:host, namevar: true) { defaultto 'local' }
  newparam(:key, namevar: true)
  newparam(:dir)
  newproperty(:value)
  def name
    "#{self[:host]}:#{self[:key]}"
  end
end
