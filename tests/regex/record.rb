#!/usr/bin/ruby
# frozen_string_literal: true

# Records what Ruby makes of the patterns and texts in table.jsonl: ruby tests/regex/record.rb, which writes recorded.jsonl.
#
# A row of the table: the pattern `re`, `flags` as the language has them (`s` is Ruby's `m`), `texts`; `differs` is the reason why
# the language means something else there. A recorded row: for each text the groups, the letter at which the match begins, what
# `sub`, `gsub` and `scan` make of the text; `refused` where Ruby does not take the pattern. `lines` is the pattern as it stands,
# which in the language is (?m:…); `ends` the one in which ^ and $ are the ends of the text, as they are in the language.

require 'json'

FLAGS = { 'i' => Regexp::IGNORECASE, 's' => Regexp::MULTILINE, 'x' => Regexp::EXTENDED }.freeze
REPLACEMENT = '<\0|\1>'

# The pattern with \A for ^ and \z for $, but for those in classes and behind a backslash.
def with_ends(pattern)
  depth = 0
  pattern.gsub(/\\[pP]\{[^}]*\}|\\.|[\[\]^$]/m) do |sign|
    depth += 1 if sign == '['
    depth -= 1 if sign == ']' && depth.positive?
    depth.zero? ? { '^' => '\A', '$' => '\z' }.fetch(sign, sign) : sign
  end
end

def answers(pattern, flags, texts)
  regex = Regexp.new(pattern, flags.chars.sum { |flag| FLAGS.fetch(flag) })
  texts.map do |text|
    found = regex.match(text)
    { groups: found&.to_a, at: found&.begin(0), sub: text.sub(regex, REPLACEMENT), gsub: text.gsub(regex, REPLACEMENT), scan: text.scan(regex) }
  end
rescue RegexpError
  'refused'
end

$VERBOSE = nil
Dir.chdir(__dir__)
rows = File.foreach('table.jsonl', encoding: 'UTF-8').map do |line|
  row = JSON.parse(line)
  pattern, flags, texts = row.values_at('re', 'flags', 'texts')
  out = { re: pattern, flags: flags || '', texts: texts, differs: row['differs'], lines: answers(pattern, flags || '', texts) }
  ends = with_ends(pattern)
  out[:ends] = answers(ends, flags || '', texts) unless ends == pattern
  JSON.generate(out.compact)
end
File.write('recorded.jsonl', rows.map { |row| "#{row}\n" }.join)
