Puppet::Type.type(:package).provide(:shelf, parent: Puppet::Provider::Package) do
  desc 'Packages on a shelf.'
  commands ladder: 'ladder'
  confine osfamily: :debian

  def install; end
  def uninstall; end
end
