# frozen_string_literal: true

require 'digest'

# A file with a line per attribute. Parts of it cannot be translated.
Puppet::Type.newtype(:vase) do
  @doc = 'A file with a line for each property.'

  ensurable

  newparam(:name, namevar: true)

  newparam(:dir) do
    desc 'The directory of the file.'
  end

  newparam(:fault) do
    desc 'What goes wrong in it.'
  end

  newparam(:mode) do
    desc 'The permissions of the file, in octal. They are converted only once.'
    defaultto '0600'
    munge do |value|
      raise ArgumentError, "not octal: #{value}" unless value.to_s =~ /\A0[0-7]{3}\z/

      value.to_i(8)
    end
  end

  newparam(:password) do
    desc 'A secret.'
    sensitive true
  end

  newproperty(:color) do
    desc 'Its colour; upper and lower case are the same.'
    munge { |value| ObjectSpace.count_objects.fetch(:TOTAL).positive? ? value.to_s : nil }

    def insync?(is)
      raise 'only what is there has a colour' if is == :absent

      provider.same?(is, should)
    end
  end

  newproperty(:token) do
    desc 'A secret that is read back.'
    sensitive true
  end

  def refresh
    provider.polish
  end
end
