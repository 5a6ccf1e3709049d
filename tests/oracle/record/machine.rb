# frozen_string_literal: true

# The machine that types see while cases are recorded: a Debian 12 on which a case may change facts, programs and features of
# Puppet. Nothing is asked of Facter's own code, no program is started.
#
# Users, groups and files are those of the machine that records. Cases name only what every Debian has, or nothing has.

# Ruby adds guesses and marked source lines to its errors, which are no behaviour of types.
exec(RbConfig.ruby, '--disable=did_you_mean', '--disable=error_highlight', $PROGRAM_NAME, *ARGV) if defined?(DidYouMean) || defined?(ErrorHighlight)

require 'json'
require 'puppet'
require 'facter'

module Machine
  # A type wanted to run a program. Providers expect what Puppet raises for one that fails.
  class NoPrograms < Puppet::ExecutionFailure; end

  FACTS = JSON.parse(File.read(File.expand_path('../debian12.json', __dir__))).freeze
  # The modules that are there, whatever else is installed: another module may add providers to a type.
  MODULES = File.readlines(File.expand_path('modules', __dir__), chomp: true)
                .map { |name| File.join('/usr/share/puppet/modules.available', name) }.freeze

  # Facts with an older name, and where the same stands today.
  OLD_NAMES = {
    'osfamily' => 'os.family', 'operatingsystem' => 'os.name', 'operatingsystemrelease' => 'os.release.full',
    'operatingsystemmajrelease' => 'os.release.major', 'architecture' => 'os.architecture', 'lsbdistid' => 'os.distro.id',
    'lsbdistcodename' => 'os.distro.codename', 'hostname' => 'networking.hostname', 'domain' => 'networking.domain',
    'fqdn' => 'networking.fqdn', 'ipaddress' => 'networking.ip', 'id' => 'identity.user'
  }.transform_values { |path| path.split('.').freeze }.freeze

  # Directories that are not there. They stand in the root because Puppet makes the parents of its own.
  DIRECTORIES = %w[confdir vardir codedir rundir logdir publicdir].flat_map { |name| ["--#{name}", "/oracle-#{name}"] }.freeze

  class << self
    attr_reader :facts
    # The commands that were refused, in order.
    attr_reader :refused

    # Loads Puppet, once a process. The directories hold more modules.
    def start(directories)
      more = directories.flat_map { |directory| Dir[File.join(directory, '*')].sort }
      $LOAD_PATH.concat((MODULES | more).map { |directory| File.join(directory, 'lib') }.select { |path| File.directory?(path) })
      ENV.update('HOME' => '/root', 'USER' => 'root', 'LC_ALL' => 'C.UTF-8')
      @refused = []
      become({})
      Puppet.initialize_settings(DIRECTORIES.dup)
      Puppet[:disable_i18n] = true
      environment = Puppet::Node::Environment.create(:production, [])
      Puppet.push_context({ current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment) }, 'cases')
      Puppet::Util::Log.level = :notice
      forbid_programs
    end

    # The machine of a case. Types and providers look at it while they are loaded, so that this comes before.
    def become(a_case)
      @programs = a_case['binaries']
      @facts = changed(FACTS, a_case['facts'] || {})
      (a_case['features'] || {}).each { |name, there| Puppet.features.add(name.to_sym) { there } }
    end

    # By name or by path (`os.family`).
    def fact(name)
      name = name.to_s.downcase
      facts.fetch(name) { name.split('.').reduce(facts) { |at, key| at.is_a?(Hash) ? at[key] : nil } }
    end

    # `nil` for programs: those of this machine count. A list: these and no others.
    def program?(name)
      return !Puppet::Util.which(name).nil? if @programs.nil?

      @programs == true || [name.to_s, File.basename(name.to_s)].any? { |known| Array(@programs).include?(known) }
    end

    def refuse(*command)
      text = command.flatten.join(' ')
      @refused << text[0, 200]
      raise NoPrograms, "oracle: execution blocked: #{text}"
    end

    private

    # Both names of a fact change when one does.
    def changed(base, changes)
      all = base.merge(changes)
      OLD_NAMES.each do |old, path|
        if changes.key?(old)
          *folders, leaf = path
          folder = folders.reduce(all) { |at, key| at[key] = at[key].is_a?(Hash) ? at[key].dup : {} }
          folder[leaf] = changes[old]
        elsif changes.key?(path.first)
          all[old] = path.reduce(all) { |at, key| at.is_a?(Hash) ? at[key] : nil }
        end
      end
      all.reject { |_, value| value.nil? }
    end

    # Puppet has a place to put itself between; Ruby's own ways are closed one by one.
    def forbid_programs
      Puppet::Util::ExecutionStub.set { |command, *| Machine.refuse(command) }
      Puppet::Util::Execution.define_singleton_method(:execpipe) { |command, *| Machine.refuse(command) }
      closed = Module.new do
        %i[` system exec spawn].each { |way| define_method(way) { |*command, **| Machine.refuse(command) } }
        define_method(:open) do |path, *rest, **options, &block|
          path.to_s.start_with?('|') ? Machine.refuse(path) : super(path, *rest, **options, &block)
        end
      end
      [Kernel, Object].each { |owner| owner.prepend(closed) }
      [Kernel, Process, IO].product(%i[` system exec spawn popen]).each do |owner, way|
        owner.define_singleton_method(way) { |*command, **| Machine.refuse(command) } if owner.respond_to?(way, true)
      end
    end
  end

  # What `Facter[…]` and `Facter.fact` give.
  Fact = Struct.new(:name, :value)

  # Facter's questions, answered from the machine. What would add or forget facts does nothing.
  module Questions
    def value(name)
      Machine.fact(name)
    end

    def fact(name)
      known = Machine.fact(name)
      Fact.new(name, known) unless known.nil?
    end
    alias [] fact

    def to_hash
      Machine.facts.dup
    end

    def list
      Machine.facts.keys
    end

    def each(&block)
      Machine.facts.each(&block)
    end

    %i[add define_fact search search_external loadfacts reset clear flush].each { |name| define_method(name) { |*, **, &_| nil } }
  end
  Facter.singleton_class.prepend(Questions)

  # `commands` of providers, and `confine exists:` for a program.
  module Programs
    def pass?(value)
      for_binary? ? (value ? Machine.program?(value) : false) : super
    end
  end
  Puppet::Confine.test(:exists).prepend(Programs)
end
