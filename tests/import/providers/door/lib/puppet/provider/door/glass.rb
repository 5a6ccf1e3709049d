# Loaded first, by its file's name; its parent goes before it.
Puppet::Type.type(:door).provide(:glass, parent: :wood, source: :wood) do
  desc 'A door of glass.'
  has_command(:glazier, 'glazier') { is_optional }
  confine true: Facter.value(:season) == 'summer', kernel: [:linux, 'SunOS']
  confine false: -> { Facter.value('os.name') == 'Plan9' }
  confine any: [Facter.value(:osfamily) == 'Debian', Facter.value(:osfamily) == 'RedHat']
  confine feature: :posix
  defaultfor osfamily: :debian, operatingsystem: [:ubuntu, /bian/]
  defaultfor feature: :posix
  notdefaultfor 'os.release.major' => '8'
  has_feature :silent
  has_feature :wide, :transparent
end
