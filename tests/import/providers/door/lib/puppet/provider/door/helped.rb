require 'puppet_x/hinges'

Puppet::Type.type(:door).provide(:helped, parent: PuppetX::Hinges) do
  hinge 'left'
  material = Puppet::Util::Platform.windows? ? 'steel' : 'oak'
  unless ENV['DOORS']
    confine kernel: [:Linux, :FreeBSD]
    confine exists: '/etc/doors'
  end
  commands saw: "#{prefix}/saw"
end
