#!/usr/bin/ruby
# frozen_string_literal: true

# Records what methods of Ruby return: ruby tests/methods/record.rb, which writes recorded.jsonl.
#
# An expression is written in the same way in Ruby and in blocks of type files. table.json has receivers and calls by kind of
# value; each call is made on each receiver. A recorded row has the call and, for each receiver, what Ruby returns as `inspect`
# shows it, or the class of the error that it raises. Match data and enumerators count as lists.

require 'json'
require 'shellwords'

def plain(value)
  case value
  when MatchData, Enumerator then plain(value.to_a)
  when Array then value.map { |v| plain(v) }
  when Hash then value.to_h { |k, v| [plain(k), plain(v)] }
  else value
  end
end

PLAIN = [NilClass, TrueClass, FalseClass, Integer, Float, String, Symbol, Array, Hash].freeze

def answer(expression)
  value = plain(eval(expression)) # rubocop:disable Security/Eval
  PLAIN.include?(value.class) ? value.inspect : "a #{value.class}"
rescue StandardError, SyntaxError => e
  { raises: e.class.name }
end

$VERBOSE = nil
Dir.chdir(__dir__)
rows = JSON.parse(File.read('table.json')).flat_map do |kind, table|
  calls = table['calls'].flat_map { |call| call.include?('ARG') ? table['arguments'].map { |a| call.gsub('ARG', a) } : [call] }
  calls.uniq.map do |call|
    answers = table['receivers'].map { |receiver| [receiver, answer("(#{receiver})#{call}")] }
    JSON.generate({ kind: kind, call: call, answers: answers })
  end
end
File.write('recorded.jsonl', rows.map { |row| "#{row}\n" }.join)

# What the importer knows of values and constants of Ruby.
require 'resolv'
require 'puppet'
VALUES = { 'Undef' => nil, 'Boolean' => true, 'Integer' => 1, 'Float' => 1.5, 'String' => 'a', 'Symbol' => :a, 'Array' => [], 'Hash' => {} }.freeze

methods = VALUES.values.flat_map(&:public_methods).uniq.sort
responds = methods.map { |method| "#{method} #{VALUES.select { |_, value| value.respond_to?(method) }.keys.join(' ')}\n" }
File.write('../../crates/lang/data/ruby-responds.txt', responds.join)
octets = %w[0 7 10 99 100 199 200 249 250 255 256 300 01 00 1a]
parts = ['', '1', 'ffff', 'FFFFF', 'g', '0', 'dead:beef', '1:2:3:4:5:6', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:', 'fe80', 'FE80:']
tails = ['', ':', '::', '::1', '1.2.3.4', '::1.2.3.4', ':1.2.3.4', '%eth0', '::1%eth0', '::1%eth0.1', ':1:2:3:4:5:6:7%eth-0', "\n", ' ']
texts = octets.flat_map { |o| ["#{o}.1.2.3", "1.2.3.#{o}", "1.2.#{o}"] } + parts.product(tails).map(&:join) + ["1.2.3.4\n", ' 1.2.3.4', '1.2.3.4.5']
patterns = %w[Resolv::IPv4::Regex Resolv::IPv6::Regex].to_h do |constant|
  [constant, texts.uniq.map { |text| [text, Object.const_get(constant).match(text)&.to_a] }]
end
File.write('import.json', "#{JSON.generate({ patterns: patterns })}\n")
