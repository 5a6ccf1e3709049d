#!/usr/bin/ruby
# frozen_string_literal: true

# Records what Ruby's YAML library reads: ruby tests/yaml/record.rb, which writes recorded.jsonl.
#
# scalars.txt has a scalar in each line, which is read in all CONTEXTS. documents.txt has documents between lines of `=====`, with ␤
# for a carriage return, → for a tab and ¶ for a last line without a newline. A result is the value, or the class of the error. Puppet reads YAML with the same options (Puppet::Util::Yaml.safe_load).

require 'json'
require 'yaml'

CONTEXTS = ["k: %s\n", "- %s\n", "%s: v\n", "[%s]\n", "{k: %s}\n", "{%s: v}\n", "%s\n", "k: '%s'\n", "k: \"%s\"\n", "k: |-\n  %s\n", ">\n  %s\n",
            "k: !!str %s\n", "k: !!int %s\n", "k: !!float %s\n", "k: ! %s\n", "k: !x %s\n", "k: !!int '%s'\n"].freeze

def plain(value)
  case value
  when Integer then { int: value.to_s }
  when Float then { float: value.nan? ? 'nan' : value.to_s }
  when String then value.encoding == Encoding::BINARY ? { bytes: value.unpack('C*') } : value
  when Array then value.map { |v| plain(v) }
  when Hash then { map: value.map { |k, v| [plain(k), plain(v)] } }
  when nil, true, false then value
  else { class: value.class.name }
  end
end

def answer(text)
  plain(YAML.safe_load(text, aliases: true))
rescue StandardError, Psych::Exception, SystemStackError => e
  { raises: e.class.name }
end

Dir.chdir(__dir__)
scalars = File.readlines('scalars.txt', chomp: true)
rows = [{ contexts: CONTEXTS }]
rows += scalars.map { |scalar| { scalar: scalar, answers: CONTEXTS.map { |context| answer(context.sub('%s') { scalar }) } } }
documents = File.read('documents.txt').split(/^=====\n/).map { |text| text.sub(/¶\n\z/, '').gsub('␤', "\r").gsub('→', "\t") }
rows += documents.uniq.map { |text| { document: text, answer: answer(text) } }
File.write('recorded.jsonl', rows.map { |row| "#{JSON.generate(row)}\n" }.join)
