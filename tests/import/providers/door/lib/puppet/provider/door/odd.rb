# Nothing that decides is passed over.
Puppet::Type.type(:door).provide(:odd, parent: Puppet::Provider::Elsewhere) do
  desc "Made of #{Facter.value(:material)}."
  confine osfamily: /Debian/
  confine true: (begin
    require 'oddity'
    true
  rescue LoadError
    false
  end)
  defaultfor kernel: :linux
  defaultfor kernel: :linux, osfamily: :debian
  defaultfor kernel: material
  hinge_command :hinge, 'hinge'
  %w[a b].each { |x| commands x => x }
end
