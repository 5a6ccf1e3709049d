# frozen_string_literal: true

# Fails in a setter or in `flush`.
Puppet::Type.type(:jar).provide(:fails) do
  desc 'Fails.'

  mk_resource_methods

  def exists?
    true
  end

  def word=(value)
    resource.note("word= #{value.inspect}")
    raise Puppet::Error, 'the lid is stuck' if resource[:name] == 'fails-set'
  end

  def flush
    resource.note("flush #{@property_hash.sort.inspect}")
    raise Puppet::Error, 'the jar is full' if resource[:name] == 'fails-flush'
  end
end
