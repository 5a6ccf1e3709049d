# frozen_string_literal: true

# A file. Its provider removes files that no resource is about.
Puppet::Type.newtype(:keeper) do
  @doc = 'A file, in a directory without other files.'

  newparam(:name, namevar: true) do
    desc 'The name of the file.'
  end

  newparam(:dir) do
    desc 'The directory.'
  end

  newparam(:list) do
    desc 'How the provider looks for the resources of the run.'
  end

  newparam(:fault) do
    desc 'What goes wrong in it.'
    validate do |value|
      ObjectSpace.garbage_collect
      require 'no/such/file' if value == 'load'
      raise ArgumentError, 'the keeper is away' if value == 'raise'
    end
  end

  newproperty(:size) do
    desc 'The text of the file.'
    munge(&:to_s)
  end

  def pre_run_check
    ObjectSpace.garbage_collect
    raise Puppet::Error, 'the resource is not ready' if self[:fault] == 'check'
  end
end
