#!/usr/bin/ruby
# frozen_string_literal: true

# Records the classes and methods of Ruby: ruby --disable=gems data/record.rb > data/core.txt
#
# A line describes a class or module: its name, `class` or `module`, the superclass or `-`, the included modules, then public, private
# and singleton methods, and constants that are neither classes nor modules, with tabs between the parts.

%w[set json yaml time date uri ipaddr pathname shellwords tempfile fileutils English digest digest/md5 digest/sha1 digest/sha2 open3
   securerandom base64 ostruct forwardable singleton erb timeout delegate observer benchmark tsort optparse logger stringio strscan
   socket etc zlib rbconfig bigdecimal open-uri net/http tmpdir monitor abbrev find English csv openssl psych syslog weakref pp
   comparable].each do |feature|
  require feature
rescue LoadError
  nil
end

# `DATA` exists if the main file has `__END__`.
values = lambda do |mod|
  names = mod.constants(false).reject do |name|
    mod.autoload?(name) || mod.const_get(name, false).is_a?(Module)
  rescue NameError, LoadError
    true
  end
  mod == Object ? names + [:DATA] : names
end

seen = {}
queue = Object.constants.sort.map { |name| [name.to_s, Object] }
lines = []
until queue.empty?
  path, parent = queue.shift
  short = path.split('::').last
  next if %w[RubyVM DidYouMean ErrorHighlight Gem Bundler TracePoint Ractor].include?(path)

  value = begin
    parent.const_get(short, false)
  rescue NameError, LoadError, RuntimeError
    next
  end
  next unless value.is_a?(Module) && !seen[value]
  next if value.name != path

  seen[value] = true
  includes = value.is_a?(Class) ? value.included_modules - (value.superclass ? value.superclass.included_modules : []) : value.included_modules
  includes = includes.map(&:name).compact.reject { |m| m =~ /^(PP|JSON|Psych)|DidYouMean|ErrorHighlight|DelegateClass/ }
  own = ->(list) { list.sort.join(' ') }
  lines << [path, value.is_a?(Class) ? 'class' : 'module', (value.superclass&.name if value.is_a?(Class)) || '-', includes.join(' '),
            own.call(value.public_instance_methods(false) + value.protected_instance_methods(false)),
            own.call(value.private_instance_methods(false)), own.call(value.singleton_methods(false)),
            own.call(values.call(value))].join("\t")
  value.constants(false).sort.each { |name| queue << ["#{path}::#{name}", value] } if path.count(':') < 4
end
puts lines
