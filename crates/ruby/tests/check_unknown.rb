#!/usr/bin/ruby
# frozen_string_literal: true

# Compares the known results in tests/unknown.rb with Ruby's: ruby --disable=gems tests/check_unknown.rb. Each row runs once for every
# meaning of `unknown` below. A run that ends with an error says nothing about the result.

require 'set'
require 'timeout'

# An object whose methods call every procedure that they are given and return the object.
class Caller < BasicObject
  def method_missing(_name, *arguments, **named, &block)
    [*arguments, *named.values, block].each { |value| ::Caller.call_all(value) }
    self
  end

  def respond_to_missing?(*) = true

  def self.call_all(value)
    case value
    when ::Proc then value.call(*[2] * [value.arity, 0].max)
    when ::Array then value.each { |inner| call_all(inner) }
    when ::Hash then value.each_value { |inner| call_all(inner) }
    end
  end
end

MEANINGS = {
  'nil' => -> {},
  'false' => -> { false },
  'true' => -> { true },
  'a number' => -> { 5 },
  'an object that calls its arguments' => -> { Caller.new },
  'an error' => -> { raise 'unknown' }
}.freeze

# Returns `inspect` of the result, or nil after an error.
def result(text, meaning)
  reader, writer = IO.pipe
  child = fork do
    reader.close
    [$stdout, $stderr].each { |stream| stream.reopen(File::NULL) }
    kept = nil
    Kernel.define_method(:unknown) { |*_, &_block| meaning.call }
    # The file that the tests of the interpreter can load.
    Object.const_set(:Helper, Module.new { def self.two = 2 })
    Kernel.define_method(:require) { |_| true }
    Kernel.define_method(:keep) { |&block| kept = block }
    Kernel.define_method(:call_kept) { |*arguments| kept.call(*arguments) }
    Timeout.timeout(2) { writer.write(eval(text, TOPLEVEL_BINDING.dup, 'test.rb').inspect) }
    exit!(0)
  rescue Exception # rubocop:disable Lint/RescueException
    exit!(1)
  end
  writer.close
  answer = reader.read
  Process.wait(child)
  answer if Process.last_status.success?
end

wrong = []
Dir.chdir(__dir__)
File.read('unknown.rb').split("\n# --\n").each do |row|
  text, expected = row.chomp.split("\n#=> ")
  next if expected.start_with?('unknown', 'Unsupported {')

  answers = MEANINGS.transform_values { |meaning| result(text, meaning) }
  wrong << "#{text}\n  known as #{expected}, but Ruby raises an error" if answers.values.none? && !expected.start_with?('Raised {')
  name, answer = answers.find { |_, given| given && given != expected }
  wrong << "#{text}\n  known as #{expected}, but #{answer} if `unknown` is #{name}" if answer
end
abort "#{wrong.length} results are not Ruby's:\n#{wrong.join("\n")}" unless wrong.empty?
