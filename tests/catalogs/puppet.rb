# frozen_string_literal: true

# Puppet in a folder of its own: nothing of the machine's configuration is read, nothing is left behind.

require 'json'
require 'puppet'
require 'tmpdir'

MODULES = ['/usr/share/puppet/modules'].freeze

def with_puppet
  Dir.mktmpdir do |folder|
    Puppet.initialize_settings(['--confdir', "#{folder}/conf", '--vardir', "#{folder}/var"])
    Puppet.settings.initialize_app_defaults(Puppet::Settings.app_defaults_for_run_mode(Puppet::Util::RunMode[:user]))
    Puppet[:log_level] = 'crit'
    Puppet.push_context(Puppet.base_context(Puppet.settings))
    yield
  end
end

def with_environment(manifest = nil)
  environment = Puppet::Node::Environment.create(:production, MODULES, manifest ? File.expand_path(manifest) : '')
  Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment), rich_data: true) do
    yield environment
  end
end
