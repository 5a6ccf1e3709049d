Puppet::Type.type(:foreign_socket).provide(:own, parent: Puppet::Type.type(:foreign_plug).provider(:base)) do
  desc 'Sockets of a type that another module has.'
end
