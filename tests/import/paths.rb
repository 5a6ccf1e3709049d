# What `Pathname`s give while the type is loaded; forms that Ruby treats in its own way are not known.
Puppet::Type.newtype(:trail) do
  newparam(:name, namevar: true)
  newparam(:joined) { defaultto (Pathname.new('/a/b') + '../c').to_s }
  newparam(:above) { defaultto Pathname.new('/a/b').join('..', '..').to_s }
  newparam(:absolute) { defaultto (Pathname.new('/a') + '/b').to_s }
  newparam(:parts) { defaultto [Pathname.new('/a/b.rb').basename('.rb').to_s, Pathname.new('/a/b.rb').dirname.to_s] }
  newparam(:same) { defaultto Pathname.new('b.rb').basename('b.rb').to_s }
  newparam(:relative) { defaultto (Pathname.new('etc/x') + '../y').to_s }
  newparam(:unclean) { defaultto (Pathname.new('/a/./b') + 'c').to_s }
  newparam(:inner) { defaultto (Pathname.new('/a') + 'b/../c').to_s }
  newparam(:trailing) { defaultto Pathname.new('/a/b/').basename.to_s }
  newparam(:hidden) { defaultto Pathname.new('.rc').basename('.*').to_s }
  newparam(:home) { defaultto Pathname.new('~/x').expand_path('/r').to_s }
end
