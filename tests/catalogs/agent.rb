# frozen_string_literal: true

# What an agent says of catalogs before it changes anything: a line for each, `accepts FILE` or `rejects FILE: why`.
#
#   agent.rb CATALOG…

require_relative 'puppet'

def judge(file, environment)
  catalog = Puppet::Resource::Catalog.from_data_hash(JSON.parse(File.read(file)))
  facts = Puppet::Node::Facts.new('web1', {})
  Puppet::Pops::Evaluator::DeferredResolver.resolve_and_replace(facts, catalog, environment)
  ral = catalog.to_ral
  ral.finalize
  # Relations to what is not there, and circles of them.
  circle = ral.relationship_graph.find_cycles_in_graph.first
  "a circle: #{circle.join(', ')}" if circle
rescue StandardError => e
  e.message.lines.first.chomp
end

with_puppet do
  with_environment do |environment|
    ARGV.each do |file|
      why = judge(file, environment)
      puts why ? "rejects #{file}: #{why}" : "accepts #{file}"
    end
  end
end
