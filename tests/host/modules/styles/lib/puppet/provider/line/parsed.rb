# frozen_string_literal: true

require 'puppet/provider/parsedfile'
Puppet::Type.type(:line).provide(:parsed, parent: Puppet::Provider::ParsedFile, default_target: '/nonexistent/fconf', filetype: :flat) do
  text_line :comment, match: /^\s*#/
  text_line :blank, match: /^\s*$/
  record_line :parsed, fields: %w[name value], separator: /\s*=\s*/, joiner: ' = '
end
