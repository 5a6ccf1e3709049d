# Records the names, kinds and defaults of Puppet's settings: `ruby tests/settings/record.rb > crates/lang/src/eval/settings.tsv`.
#
# Defaults that Puppet computes are left empty. rtype computes some of these defaults; the others are nil.

require 'puppet'

Puppet.initialize_settings
KINDS = { 'Boolean' => 'boolean', 'Integer' => 'integer', 'Port' => 'integer', 'Duration' => 'duration', 'TTL' => 'duration',
          'SymbolicEnum' => 'symbol', 'Terminus' => 'symbol', 'Array' => 'list' }.freeze

settings = []
Puppet.settings.instance_variable_get(:@config).each do |name, setting|
  default = setting.instance_variable_get(:@default)
  default = nil if default.is_a?(Proc)
  default = default.join(',') if default.is_a?(Array)
  kind = KINDS.fetch(setting.class.name.split('::').last.sub('Setting', ''), 'text')
  settings << [name, kind, default.to_s].join("\t") unless %w[name path configprint genconfig genmanifest].include?(name.to_s)
end
puts settings.sort
