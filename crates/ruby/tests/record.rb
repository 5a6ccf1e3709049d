#!/usr/bin/ruby
# frozen_string_literal: true

# Records what the snippets in tests/snippets print: ruby --disable=gems tests/record.rb PATH-OF-THE-EXAMPLE-print, which writes NAME.json for each
# NAME.rb. Build the example with `cargo build -p rtype-ruby --example print`.
#
# Snippets are separated by lines `# --`. Each one runs in a process of its own, as it is written and as the tree prints it. The
# recorder fails if the two outputs differ. An error that nothing handles is recorded with its class and message.

require 'json'
require 'tempfile'

def run(text)
  file = Tempfile.new(['snippet', '.rb'])
  file.write(text)
  file.close
  reader, writer = IO.pipe
  child = fork do
    reader.close
    $stdout.reopen(writer)
    $stderr.reopen(File::NULL)
    begin
      load file.path
    rescue SystemExit
      nil
    rescue Exception => e # rubocop:disable Lint/RescueException
      puts "uncaught #{e.class}: #{e.message}"
    end
    $stdout.flush
    exit!(0)
  end
  writer.close
  output = reader.read
  Process.wait(child)
  output.gsub(file.path, 'snippet.rb').force_encoding('UTF-8')
end

program = File.expand_path(ARGV.fetch(0))
Dir.chdir(__dir__)
different = 0
Dir['snippets/*.rb'].each do |path|
  printed = JSON.parse(IO.popen([program, '--snippets', path], &:read))
  snippets = File.read(path).split("\n# --\n")
  rows = snippets.zip(printed).map do |snippet, text|
    output = run(snippet)
    again = run(text)
    if output != again
      different += 1
      puts "#{path}: #{snippet}", "--- printed", text, "--- as written", output, "--- as printed", again, ''
    end
    abort "#{path}: #{snippet}: #{output}" if output.start_with?('uncaught SyntaxError')
    { printed: text, output: output }
  end
  File.write(path.sub(/rb$/, 'json'), "#{JSON.pretty_generate(rows)}\n")
end
abort "#{different} snippets print something else" unless different.zero?
