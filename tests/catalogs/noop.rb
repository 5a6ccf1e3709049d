# frozen_string_literal: true

# What an agent would change on this machine: a line for each resource that is out of sync, `FILE Type[title]`. Changes nothing.
#
#   noop.rb CATALOG…

require_relative 'puppet'

with_puppet do
  Puppet[:noop] = true
  Puppet::Util::Log.close_all
  with_environment do |environment|
    ARGV.each do |file|
      catalog = Puppet::Resource::Catalog.from_data_hash(JSON.parse(File.read(file)))
      Puppet::Pops::Evaluator::DeferredResolver.resolve_and_replace(Puppet::Node::Facts.new('web1', {}), catalog, environment)
      ral = catalog.to_ral
      ral.finalize
      statuses = ral.apply.report.resource_statuses
      # What contains others is out of sync when they are.
      changed = statuses.select { |_, status| status.out_of_sync && status.change_count.zero? && status.events.any? { |e| e.property } }
      changed.each_key { |reference| puts "#{file} #{reference}" }
    end
  end
end
