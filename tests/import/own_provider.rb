# A type that declares its provider itself, and paths in lists.
require 'puppet/parameter/path'

Puppet::Type.newtype(:well) do
  ensurable

  newparam(:path, namevar: true, parent: Puppet::Parameter::Path)
  newparam(:pipes, parent: Puppet::Parameter::Path) { accept_arrays }
  newparam(:cover, parent: Puppet::Parameter::Path) { accept_arrays false }

  newproperty(:depth) do
    munge { |value| Integer(value) }

    def insync?(is)
      provider.resource[:cover].nil? || is.to_i.fdiv(should.nonzero? || 1) < 1.1
    end
  end

  newparam(:notes) do
    munge do |value|
      text = +''
      value.each_line { |line| text << line.strip << "\n" }
      text
    end
  end

  provide(:bucket) do
    desc 'By hand.'
    commands rope: 'rope'
    defaultfor kernel: :linux
  end

  self.provide(:pump, parent: :bucket) do
    confine exists: '/dev/pump'
  end
end
