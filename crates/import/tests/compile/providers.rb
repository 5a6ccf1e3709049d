commands tool: 'tool', 'other-tool' => '/usr/bin/other'
confine kernel: :Linux, osfamily: ['Debian', 'RedHat']
confine exists: '/etc/shelf'
defaultfor osfamily: :debian
has_feature :wide
#=> provider wood, for: shelf {
#=>   commands tool: "tool", "other-tool": "/usr/bin/other"
#=>   confine kernel: Linux, osfamily: [Debian, RedHat]
#=>   confine exists: "/etc/shelf"
#=>   defaultfor osfamily: debian
#=>   has_feature wide
#=> }
# --
commands tool: Facter.value(:kernel) == 'Linux' ? '/bin/tool' : 'tool'
confine true: Facter.value(:season) == 'summer'
confine false: -> { Facter.value('os.name') == 'Plan9' }
confine any: [Puppet.features.posix?, File.exist?('/etc/shelf')]
#=> provider wood, for: shelf {
#=>   confine { which(fact("kernel") == "Linux" ? "/bin/tool" : "tool") }
#=>   confine { fact("season") == "summer" }
#=>   confine { !(fact("os.name") == "Plan9") }
#=>   confine { feature("posix") || exists("/etc/shelf") }
#=> }
# --
path = Facter.value(:kernel) == 'SunOS' ? '/opt/shelf' : '/etc/shelf'
confine exists: path
confine exists: "#{path}/#{Facter.value(:hostname)}"
#=> provider wood, for: shelf {
#=>   confine {
#=>     let path = fact("kernel") == "SunOS" ? "/opt/shelf" : "/etc/shelf"
#=>     exists(path)
#=>   }
#=>   confine {
#=>     let path = fact("kernel") == "SunOS" ? "/opt/shelf" : "/etc/shelf"
#=>     exists("#{path}/#{fact("hostname")}")
#=>   }
#=> }
# --
confine feature: :posix
confine feature: :shelves
confine osfamily: /Debian/
confine kernel: material
#=> feature shelves, "What Ruby libraries offer. None can be used here." {
#=>   false
#=> }
#=> provider wood, for: shelf {
#=>   confine feature: posix
#=>   confine feature: shelves
#=>   confine osfamily: []
#=>   untranslated defaultfor, "the method `material` is not supported", ruby: "material"
#=>   untranslated confine, "`kernel` is computed", ruby: "confine kernel: material"
#=> }
# --
if Facter.value(:kernel) == 'Linux'
  commands bolt: '/sbin/bolt'
  has_feature :wide
else
  confine exists: '/opt/bolt'
end
#=> feature wood_wide, "What `wood` takes for `wide`." {
#=>   fact("kernel") == "Linux"
#=> }
#=> provider wood, for: shelf {
#=>   confine { if fact("kernel") == "Linux" {
#=>       which("/sbin/bolt")
#=>     } else {
#=>       exists("/opt/bolt")
#=>     } }
#=>   has_feature wide, feature: wood_wide
#=> }
# --
case Facter.value('os.family')
when 'OpenBSD'
  commands tool: '/usr/local/bin/tool'
when 'Debian', /^Red/
  has_feature :wide
else
  confine kernel: 'Linux'
end
#=> feature wood_wide, "What `wood` takes for `wide`." {
#=>   match fact("os.family") {
#=>     "OpenBSD"              => false
#=>     "Debian" | /(?m:^Red)/ => true
#=>     _                      => false
#=>   }
#=> }
#=> provider wood, for: shelf {
#=>   confine { match fact("os.family") {
#=>       "OpenBSD"              => which("/usr/local/bin/tool")
#=>       "Debian" | /(?m:^Red)/ => true
#=>       _                      => ["linux"].include?(fact("kernel").to_s.downcase)
#=>     } }
#=>   has_feature wide, feature: wood_wide
#=> }
# --
has_command(:glazier, 'glazier') { is_optional }
has_command(:saw, '/bin/saw') { environment LANG: 'C' }
mk_resource_methods
%w[a b].each { |x| commands x => x }
#=> provider wood, for: shelf {
#=>   optional_commands glazier: "glazier"
#=>   commands saw: "/bin/saw"
#=>   commands a: "a"
#=>   commands b: "b"
#=> }
# --
confine true: (begin
  require 'oddity'
  true
rescue LoadError
  false
end)
#=> provider wood, for: shelf {
#=>   untranslated confine, "`rescue` is not supported", ruby: """
#=>       confine true: (begin
#=>         require 'oddity'
#=>         true
#=>       rescue LoadError
#=>         false
#=>       end)
#=>       """
#=> }
# --
def lock; end
def unlock; end
def self.usual
  'x'
end
#=> provider wood, for: shelf {
#=>   has_feature locking
#=> }
# --
def lock; end
private :lock
def unlock; end
#=> provider wood, for: shelf {}
# --
raise 'not here' unless Facter.value(:kernel) == 'Linux'
commands tool: 'tool'
#=> provider wood, for: shelf {
#=>   commands tool: "tool"
#=>   untranslated confine, "an error under a condition is not supported"
#=> }
# --
lens { 'Shelf.lns' }
include Puppet::Util::Elsewhere
#=> provider wood, for: shelf {
#=>   untranslated confine,
#=>     "what the provider can do (`Puppet::Util::Elsewhere` is not known when the type is loaded) is computed"
#=>   untranslated defaultfor, "the method `lens` is not supported", ruby: "lens { 'Shelf.lns' }"
#=> }
# --
defaultfor kernel: :linux
defaultfor kernel: :linux, osfamily: :debian
notdefaultfor 'os.release.major' => '8'
#=> provider wood, for: shelf {
#=>   defaultfor kernel: linux
#=>   untranslated defaultfor,
#=>     "a `defaultfor` with more facts than an earlier `defaultfor` is not supported",
#=>     ruby: "defaultfor kernel: :linux, osfamily: :debian"
#=>   notdefaultfor "os.release.major": "8"
#=> }
