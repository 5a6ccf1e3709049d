# frozen_string_literal: true

# Compiles each manifest into a catalog with Puppet's own compiler, Debian's modules and the facts of a machine that does not exist.
#
#   compile.rb OUT MANIFEST…

require_relative 'puppet'

NODE = 'web1.example.com'

out = ARGV.shift
facts = JSON.parse(File.read(File.join(__dir__, 'facts.json')))
with_puppet do
  ARGV.each do |file|
    with_environment(file) do |environment|
      node = Puppet::Node.new(NODE, environment: environment, facts: Puppet::Node::Facts.new(NODE, facts))
      node.merge(facts.merge('serverversion' => Puppet.version))
      catalog = Puppet::Parser::Compiler.compile(node).filter(&:virtual?)
      File.write(File.join(out, "#{File.basename(file, '.pp')}.json"), JSON.pretty_generate(catalog.to_data_hash))
    end
  rescue StandardError => e
    abort "#{file}: #{e.message}"
  end
end
