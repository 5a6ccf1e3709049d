# frozen_string_literal: true

# What the comparisons with Puppet share: time and memory of whole processes, and tables of them.

require 'etc'
require 'json'
require 'open3'
require 'tempfile'

# Puppet looks for programs on the path; what a person installed there is not the system's.
ENVIRONMENT = { 'PATH' => '/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL' => 'C.UTF-8', 'NO_COLOR' => '1' }.freeze

def run(*command)
  output, status = Open3.capture2e(ENVIRONMENT, *command)
  abort "#{File.basename($PROGRAM_NAME)}: #{command.join(' ')} failed\n#{output[0, 2000]}" unless status.success?
  output
end

# What hyperfine measures, in seconds: `median` by the clock, `user` and `system` by the processor. It starts programs without a
# shell and takes its own time off. `prepare` runs before each run.
def times(command, runs, prepare: nil)
  Tempfile.create('hyperfine') do |file|
    run('hyperfine', '--shell=none', '--warmup=2', "--runs=#{runs}", '--style=none', *(['--prepare', prepare] if prepare), '--export-json', file.path, command)
    JSON.parse(File.read(file.path))['results'][0]
  end
end

def seconds(command, runs, prepare: nil) = times(command, runs, prepare:)['median']

# The highest of three peaks in KiB. `time` is small, so that what is measured is not the memory of the measuring program.
def kilobytes(command)
  Array.new(3) do
    Tempfile.create('time') do |file|
      run('time', '--format=%M', "--output=#{file.path}", *command.split)
      File.read(file.path).lines.last.to_i
    end
  end.max
end

# The program to measure, as `--rtype` says; what is needed beside it is there.
def program(*needed)
  rtype = File.expand_path(ARGV.include?('--rtype') ? ARGV.slice!(ARGV.index('--rtype'), 2).last : 'target/dist/rtype')
  abort "there is no program #{rtype}; `cargo build --profile dist` makes it" unless File.executable?(rtype)
  needed.each { |p| abort "install #{p}" unless File.executable?("/usr/bin/#{p}") }
  rtype
end

# Rows below a heading, then the machine.
def table(head, rows, markdown)
  widths = [head, *rows].transpose.map { |column| column.map(&:size).max }
  line = lambda do |cells|
    text = cells.zip(widths).map { |cell, width| cell.ljust(width) }.join(markdown ? ' | ' : '  ')
    markdown ? "| #{text} |" : text.rstrip
  end
  puts line.call(head)
  puts "|#{widths.map { |w| '-' * (w + 2) }.join('|')}|" if markdown
  rows.each { |row| puts line.call(row) }
  model = File.foreach('/proc/cpuinfo').find { |l| l.start_with?('model name') }.to_s.split(':').last.to_s.strip
  packages = Dir.glob('/var/lib/dpkg/info/*.list').size
  puts "#{Etc.nprocessors} cores (#{model}), load #{File.read('/proc/loadavg').split.first}, #{packages} packages, Puppet #{run('puppet', '--version').strip}"
end
