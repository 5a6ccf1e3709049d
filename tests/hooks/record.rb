#!/usr/bin/ruby
# frozen_string_literal: true

# Writes crates/import/data/puppet-hooks.txt: the methods that the installed Puppet defines for types and attributes. Ruby code that
# defines a method of such a name replaces a part of Puppet. A line is `type` or `attribute`, `#` for a method of objects or `.` for a
# method of classes, and the name. Needs puppet-agent.

require 'puppet'
%w[property/list property/keyvalue property/ordered_list property/boolean parameter/boolean parameter/path parameter/package_options].each do |file|
  require "puppet/#{file}"
end

# Methods that only make or pass on messages change no value.
MESSAGES = %i[to_s ref path pathbuilder line file error_context adderrorcontext exceptwrap format_exception markdown_header markdown_definitionlist pad doctable dochook nodoc nodoc?
              format_value_for_display log_metadata].freeze

# Methods that nothing in Puppet calls.
UNCALLED = %i[ancestors].freeze

OWNERS = {
  'type' => [Puppet::Type, Puppet::Util::Tagging, Puppet::Util::Errors],
  'attribute' => [Puppet::Parameter, Puppet::Property, Puppet::Property::List, Puppet::Property::KeyValue, Puppet::Property::OrderedList,
                  Puppet::Property::Boolean, Puppet::Parameter::Boolean, Puppet::Parameter::Path, Puppet::Parameter::PackageOptions,
                  Puppet::Util::Errors]
}.freeze

lines = OWNERS.flat_map do |of, owners|
  objects = owners.flat_map { |o| o.instance_methods(false) + o.private_instance_methods(false) }
  classes = owners.grep(Class).flat_map { |o| o.singleton_methods(false) + o.singleton_class.private_instance_methods(false) }
  { '#' => objects, '.' => classes }.flat_map { |sign, names| (names.uniq - MESSAGES - UNCALLED).sort.map { |name| "#{of}#{sign}#{name}\n" } }
end
File.write(File.expand_path('../../crates/import/data/puppet-hooks.txt', __dir__), lines.join)
