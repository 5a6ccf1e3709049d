# frozen_string_literal: true

Puppet::Type.newtype(:drawer) do
  @doc = 'A map that the provider compares, and values that are converted.'

  ensurable do
    defaultvalues
    defaultto :present
  end
  newparam(:name, namevar: true) { munge { |v| v.downcase } }
  newparam(:log)
  newproperty(:settings) do
    validate { |v| raise ArgumentError, 'a hash' unless v.is_a?(Hash) }
    munge { |v| v.to_h { |k, x| [k.to_s, x.to_s] } }
    def insync?(is)
      provider.same?(is, should)
    end
  end
  newproperty(:enabled) do
    newvalues(:true, :false)
    munge { |v| %w[true yes].include?(v.to_s) ? :true : :false }
  end
  newproperty(:level) do
    newvalues(/\A\d+\z/, :auto)
    munge { |v| v.to_s =~ /\A\d+\z/ ? v.to_i : v.to_sym }
    defaultto :auto
  end
  validate { raise Puppet::Error, 'log is required' unless self[:log] }
  def initialize(*args)
    super
    self[:level] = 7 if self[:name] == 'seven'
  end
end
