# A provider of the Resource API that compares properties itself.
class Puppet::Provider::Scale::Scale
  def insync?(context, name, property, is_hash, should_hash)
    context.debug("comparing #{property} of #{name}")
    case property
    when :weights
      return same?(context, is_hash, should_hash) if should_hash[:exact]
      missing = should_hash[:weights] - (is_hash[:weights] || [])
      missing.empty? ? true : [false, "adding #{missing.sort.join(', ')} to #{name}"]
    when :label
      return false unless is_hash.key?(:label) && is_hash[:ensure] == 'present'
      is_hash[:label].casecmp?(should_hash[:label])
    end
  end

  def same?(context, is_hash, should_hash)
    context.info('in any order')
    is_hash[:weights].sort == should_hash[:weights].sort
  end
end
