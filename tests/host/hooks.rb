# frozen_string_literal: true

# Applies one resource of each type in a directory of modules with Puppet, each in a process of its own. Prints the types whose resource fails.

require 'puppet'

directory, attributes = ARGV
modules = File.join(directory, 'modules')
Puppet.initialize_settings(%w[confdir vardir].flat_map { |name| ["--#{name}", File.join(directory, name)] }, false, false)
Puppet::Util::Log.level = :crit
environment = Puppet::Node::Environment.create(:hooks, [modules])
Puppet.push_context(Puppet.base_context(Puppet.settings), 'hooks')
Puppet.push_context({ current_environment: environment }, 'hooks')
$LOAD_PATH.unshift(*Dir["#{modules}/*/lib"])

def applied?(type, environment, attributes)
  catalog = Puppet::Resource::Catalog.new('hooks', environment)
  catalog.add_resource(Puppet::Resource.new(type, 'a', parameters: attributes))
  ral = catalog.to_ral
  ral.finalize
  report = Puppet::Transaction::Report.new
  ral.apply(report: report)
  report.resource_statuses.any? && report.resource_statuses.values.none? { |status| status.failed? || status.failed_to_restart? }
rescue StandardError, ScriptError, SystemStackError
  false
end

Dir["#{modules}/hooks/lib/puppet/type/*.rb"].map { |file| File.basename(file, '.rb') }.sort.each do |type|
  pid = fork { exit!(applied?(type, environment, JSON.parse(attributes)) ? 0 : 1) }
  _, status = Process.wait2(pid)
  puts type unless status.success?
end
