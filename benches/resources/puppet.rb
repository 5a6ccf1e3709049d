# frozen_string_literal: true

# What a resource costs in Puppet: a number of each type is declared (validated, munged, defaulted), put into a catalog and
# compared with a state. Prints one line a type as `benches/resources.rs` does: `TYPE NANOSECONDS BYTES`.
#
#   ruby benches/resources.rb [COUNT]

require 'puppet'

COUNT = (ARGV[0] || 5_000).to_i
MODULES = Dir['/usr/share/puppet/modules{,.available}/*cron*core/lib']

MODULES.each { |dir| $LOAD_PATH.unshift(dir) }
Puppet.initialize_settings(%w[--confdir /nonexistent --vardir /nonexistent])
ENVIRONMENT = Puppet::Node::Environment.create(:bench, [])
Puppet.push_context(current_environment: ENVIRONMENT, loaders: nil)
Puppet::Util::Log.newdestination(:console)

MAKE = {
  file: lambda { |i|
    ["/etc/application/conf.d/#{i}.conf",
     { ensure: 'file', owner: 'root', group: 'root', mode: '0644', content: "listen = #{i}\n" }]
  },
  user: lambda { |i|
    ["user#{i}", { ensure: 'present', uid: (1000 + i).to_s, gid: '100', home: "/home/user#{i}", shell: '/bin/bash', managehome: 'true' }]
  },
  cron: lambda { |i|
    ["job #{i}", { command: "/usr/local/bin/job --number #{i}", user: 'root', minute: (i % 60).to_s, hour: '*/2', weekday: 'monday' }]
  }
}.freeze

def memory = File.read('/proc/self/statm').split[1].to_i * 4096

def now = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

# Everything that the catalog needs to keep is made before the clock runs.
def measure(type_name, make)
  type = Puppet::Type.type(type_name)
  type.new(title: make.call(0)[0], **make.call(0)[1]) # loads providers
  catalog = Puppet::Resource::Catalog.new('bench', ENVIRONMENT)
  given = Array.new(COUNT) { |i| make.call(i) }
  GC.start
  before = memory
  start = now
  resources = given.map do |title, attributes|
    resource = Puppet::Resource.new(type_name.to_s, title, parameters: attributes)
    ral = type.new(resource)
    catalog.add_resource(ral)
    ral
  end
  declared = now - start
  bytes = (memory - before) / COUNT
  start = now
  different = resources.sum do |ral|
    ral.properties.count do |property|
      is = property.name == :ensure ? property.should : :absent
      next if property.safe_insync?(is)

      property.change_to_s(is, property.should)
    end
  end
  raise "only #{different} differ" if different < COUNT

  puts "#{type_name} #{((declared + now - start) / COUNT * 1e9).round} #{bytes}"
end

MAKE.each { |type_name, make| measure(type_name, make) }
