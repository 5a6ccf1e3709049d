Puppet::Type.type(:lantern).provide(:tin) do
  desc 'Made of tin.'
end
