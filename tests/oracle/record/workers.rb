# frozen_string_literal: true

require 'json'
require 'timeout'
require_relative 'examination'

# Each case in a process of its own, so that none sees what another left behind. Cases of the same machine share a parent that
# has loaded their types: types and providers look at the machine while they are loaded.
module Workers
  MACHINE = %w[facts binaries features].freeze
  # Seconds for one case.
  PATIENCE = 10

  module_function

  # The results as JSON texts, in the order of the cases.
  def examine(cases)
    results = Array.new(cases.size)
    cases.each_index.group_by { |index| cases[index].values_at(*MACHINE) }.each_value do |indexes|
      answers = apart { |out| on_one_machine(cases.values_at(*indexes), out) }
      indexes.zip(answers.lines(chomp: true)) { |index, line| results[index] = line }
    end
    results.zip(cases).map { |result, a_case| result || lost(a_case, 'worker process died') }
  end

  def on_one_machine(cases, out)
    # Relative paths are below it.
    Dir.chdir('/')
    Machine.become(cases.first)
    # What loading says belongs to no case.
    Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new([]))
    cases.each do |a_case|
      [a_case, *a_case['catalog']].each { |declared| load_type(declared['type']) }
      Machine.refused.clear
      answer = apart(PATIENCE) { |pipe| pipe.puts(JSON.generate(Examination.of(a_case))) }
      out.puts(answer.end_with?("\n") ? answer : lost(a_case, 'timeout or crash'))
    end
  end

  def load_type(name)
    Puppet::Type.type(name)
  rescue StandardError, ScriptError
    nil # its cases try again and say why
  end

  # What the block writes in a process of its own; less, if that ends early or takes too long.
  def apart(seconds = nil)
    from, to = IO.pipe
    process = fork do
      from.close
      yield to
      to.close
      Process.exit!(0)
    end
    to.close
    Timeout.timeout(seconds) { from.read.force_encoding(Encoding::UTF_8) }
  rescue Timeout::Error
    Process.kill(:KILL, process)
    ''
  ensure
    from.close
    Process.wait(process)
  end

  def lost(a_case, why)
    JSON.generate('id' => a_case['id'], 'ok' => false, 'stage' => 'crash', 'error_class' => 'Oracle::Crash', 'message' => why,
                  'harness' => true, 'harness_why' => why)
  end
end
