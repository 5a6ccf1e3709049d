#!/usr/bin/ruby
# Prints what Puppet's own parser makes of manifests and templates: one JSON object per file, with `ast` (PN) or `error` and `line`.
#
#   ruby pn.rb < list-of-files > trees.jsonl
if defined?(DidYouMean) || defined?(ErrorHighlight)
  exec(RbConfig.ruby, '--disable=did_you_mean', '--disable=error_highlight', $PROGRAM_NAME, *ARGV)
end
require 'json'
require 'puppet'
require 'puppet/pops/pn'
require 'puppet/pops/model/pn_transformer'
Puppet.initialize_settings(['--confdir', '/nonexistent', '--vardir', '/nonexistent'])
Puppet::Util::Log.level = :crit
manifests = Puppet::Pops::Parser::Parser.new
templates = Puppet::Pops::Parser::EppParser.new
$stdin.each_line(chomp: true) do |file|
  text = File.read(file, encoding: 'UTF-8')
  parser = file.end_with?('.epp') ? templates : manifests
  tree = parser.parse_string(text, nil)
  puts JSON.generate('file' => file, 'ast' => Puppet::Pops::Model::PNTransformer.transform(tree.model).to_data)
rescue StandardError => e
  puts JSON.generate('file' => file, 'error' => e.message.to_s.scrub, 'line' => e.respond_to?(:line) ? e.line : nil)
end
