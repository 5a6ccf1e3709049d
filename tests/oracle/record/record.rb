#!/usr/bin/ruby
# frozen_string_literal: true

# Asks Puppet about cases, and writes what it answers.
#
#   record.rb < CASES > RESULTS             one case a line, one result a line, in the same order
#   record.rb --to DIR FILE…                DIR/NAME.jsonl for each NAME.jsonl
#   record.rb --check DIR [--every N] FILE… compares with what DIR has, of each file every Nth case; ends with 1 on a difference
#   --modules DIR                           more modules (DIR/MODULE/lib) than those that the file `modules` names; may be repeated
#
# Needs Puppet 7 and the modules of the types; reads nothing of the machine but its users, groups and files, changes nothing.

require_relative 'machine'
require_relative 'workers'
require 'optparse'

options = { every: 1, modules: [] }
OptionParser.new do |parser|
  parser.on('--to DIR') { |value| options[:to] = value }
  parser.on('--check DIR') { |value| options[:check] = value }
  parser.on('--every N', Integer) { |value| options[:every] = value }
  parser.on('--modules DIR') { |value| options[:modules] << value }
end.parse!

def lines(file)
  File.foreach(file, chomp: true, encoding: 'UTF-8').reject { |line| line.strip.empty? }
end

# Both sides, where they do not say the same.
def differences(known, answers)
  recorded = known.map { |line| JSON.parse(line) }.to_h { |result| [result['id'], result] }
  answers.map { |line| JSON.parse(line) }.reject { |answer| recorded[answer['id']] == answer }
         .map { |answer| [answer['id'], recorded[answer['id']], answer] }
end

Machine.start(options[:modules])
if ARGV.empty?
  cases = $stdin.each_line.reject { |line| line.strip.empty? }.map { |line| JSON.parse(line) }
  puts Workers.examine(cases)
  exit
end

asked = ARGV.to_h do |file|
  [File.basename(file), lines(file).each_slice(options[:every]).map { |some| JSON.parse(some.first) }]
end
# All at once: machines are shared by cases of several files.
answers = Workers.examine(asked.values.flatten(1)).each
wrong = 0
asked.each do |name, cases|
  results = answers.take(0)
  cases.size.times { results << answers.next }
  File.write(File.join(options[:to], name), results.map { |line| "#{line}\n" }.join) if options[:to]
  next unless options[:check]

  found = differences(lines(File.join(options[:check], name)), results)
  found.each { |id, known, answer| puts "#{id}\n  recorded #{JSON.generate(known)}\n  now      #{JSON.generate(answer)}" }
  puts "#{name}: #{cases.size} asked, #{found.size} differ"
  wrong += found.size
end
exit(wrong.zero?)
