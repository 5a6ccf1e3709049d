# What runs while the type is loaded: classes, mixins, loops, helpers that declare attributes.
module Scales
  UNITS = %w[gram ounce].freeze

  def self.included(base)
    base.extend(ClassMethods)
    base.class_eval do
      newparam(:owner) { desc 'Who pays.' }
    end
  end

  # Declares several attributes at once.
  module ClassMethods
    def weights(*names, unit: 'gram', &block)
      names.each_with_index do |name, i|
        newproperty(:"#{name}_#{unit}") do
          desc "Weight #{i + 1} in #{unit}s."
          munge(&:to_i)
          class_eval(&block) if block
        end
      end
    end
  end

  def self.known?(unit)
    UNITS.include?(unit) || special(unit)
  end

  def self.special(unit)
    unit.start_with?('x-')
  end
end

class Limit < Puppet::Property
  def self.between(low, high)
    validate do |value|
      raise ArgumentError, "not in #{low}..#{high}" unless value.to_i >= low && value.to_i <= high
    end
  end

  def insync?(is)
    is.to_s == should.to_s
  end
end

Flag = Class.new(Puppet::Parameter) do
  newvalues(:yes, :no)
  munge { |value| value.to_s == 'yes' }
end

Puppet::Type.newtype(:scale) do
  include Scales

  newparam(:name, namevar: true)
  weights :box, :lid, unit: 'ounce'
  weights(:spoon) { defaultto 3 }

  newproperty(:top, parent: Limit) { between 1, 9 }
  newparam(:loud, parent: Flag)

  newparam(:unit) do
    validate { |value| raise ArgumentError, "no unit #{value}" unless Scales.known?(value) }
  end

  names = []
  i = 0
  while i < 3
    i += 1
    next if i == 2

    names << "slot#{i}"
  end
  names.each { |name| send(:newparam, name, boolean: true) }

  found = catch(:done) do
    { first: 1, second: 2 }.each { |key, value| throw :done, key if value > 1 }
    nil
  end
  newparam(found) { defaultto { found.to_s } }

  begin
    require 'no_such_library'
  rescue LoadError
    newparam(:plain)
  end

  newparam(:windowed) if Facter.value(:kernel) == 'windows'

  autorequire(:file) { '/first' }
  autorequire(:file) { '/second' }
  autorequire(:user) { |scale| scale[:owner] }
end

# The classes of attributes are constants of the type's class.
Puppet::Type.newtype(:flask) do
  newparam(:name, namevar: true)
  newparam(:kind)
  newproperty(:volume) do
    validate { |value| super(resource) if value }
  end

  volume = properties.find { |one| one == Puppet::Type::Flask::Volume }
  volume.munge { |value| value.to_i }
  Puppet::Type::Flask::ParameterKind.validate { |value| raise ArgumentError, 'no kind' if value.empty? }
end
