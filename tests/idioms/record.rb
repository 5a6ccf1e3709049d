#!/usr/bin/ruby
# frozen_string_literal: true

# Records what blocks with idioms of Ruby's core language return: ruby tests/idioms/record.rb, which writes recorded.json.
#
# Each attribute of the types in this directory has the values in the comment before it. A recorded row has the type, the attribute,
# the value in Puppet's syntax, and the converted value as `inspect` shows it, or null where Ruby raises an error.
#
# The files in canonicalize are the methods of providers of the Resource API, each with maps of values in the comment at its beginning.
# For each of these, recorded-canonicalize.json has the name, the map in Puppet's syntax, and the converted values as `inspect` shows them.

require 'puppet'
require 'puppet/resource_api'
require 'json'
%w[base64 cgi date digest ipaddr openssl pathname set shellwords time uri yaml].each { |library| require library }

def written(value)
  case value
  when String then value.include?("\n") ? value.inspect : "'#{value.gsub(/[\\']/) { |c| "\\#{c}" }}'"
  when Array then "[#{value.map { |v| written(v) }.join(', ')}]"
  when nil then 'undef'
  when Hash then "{#{value.map { |k, v| "#{written(k)} => #{written(v)}" }.join(', ')}}"
  else value.inspect
  end
end

$VERBOSE = nil
rows = Dir[File.join(__dir__, '*.rb')].sort.reject { |file| file == File.expand_path(__FILE__) }.flat_map do |file|
  load file
  type = "idioms_#{File.basename(file, '.rb')}"
  File.read(file).scan(/^  # (\[.*)\n  newparam\(:(\w+)[,)]/).flat_map do |values, attribute|
    eval(values).compact.map do |value| # rubocop:disable Security/Eval
      copy = Marshal.load(Marshal.dump(value))
      answer =
        begin
          Puppet::Type.type(type).new(name: 'a', attribute.to_sym => copy)[attribute].inspect
        rescue StandardError
          nil
        end
      [type, attribute, written(value), answer]
    end
  end
end
File.write(File.join(__dir__, 'recorded.json'), "[\n#{rows.map { |row| JSON.generate(row) }.join(",\n")}\n]\n")

# What a provider logs with.
class Context
  attr_reader :type

  def initialize(type)
    @type = type
  end

  %i[debug info notice warning err].each { |level| define_method(level) { |_message| nil } }
end

template = File.read(File.join(__dir__, 'canonicalize', 'type.rb.in'))
rows = Dir[File.join(__dir__, 'canonicalize', '*.rb')].sort.flat_map do |file|
  text = File.read(file)
  name = "canonical_#{File.basename(file, '.rb')}"
  eval(template.gsub('TYPE', name)) # rubocop:disable Security/Eval
  context = Context.new(Puppet::Type.type(name.to_sym).type_definition)
  provider = Class.new { class_eval(text, file) }
  eval(text.lines.first.delete_prefix('# ')).map do |values| # rubocop:disable Security/Eval
    written = "{#{values.map { |k, v| "#{k} => #{written(v)}" }.join(', ')}}"
    given = Marshal.load(Marshal.dump(values.compact.merge(name: 'a')))
    canonical = provider.new.canonicalize(context, [given]).first
    [File.basename(file, '.rb'), written, canonical.compact.transform_values(&:inspect)]
  end
end
File.write(File.join(__dir__, 'recorded-canonicalize.json'), "[\n#{rows.map { |row| JSON.generate(row) }.join(",\n")}\n]\n")
