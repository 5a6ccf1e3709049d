#!/usr/bin/ruby
# frozen_string_literal: true

# Records what methods of Ruby return: ruby tests/methods/record.rb, which writes recorded.jsonl.
#
# An expression is written in the same way in Ruby and in blocks of type files. table.json has receivers and calls by kind of
# value; each call is made on each receiver. A recorded row has the call and, for each receiver, what Ruby returns as `inspect`
# shows it, or null where it raises an error. Match data and enumerators count as lists.

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
rescue StandardError, SyntaxError
  nil
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
