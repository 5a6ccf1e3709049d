# frozen_string_literal: true

# The getters of mk_resource_methods return absent: nothing is prefetched. All that is set is in the hash for `flush`.
Puppet::Type.type(:jar).provide(:bare) do
  desc 'Has mk_resource_methods and no prefetch.'

  mk_resource_methods

  def exists?
    true
  end

  def flush
    resource.note("flush #{@property_hash.sort.inspect}")
  end
end
