# Values that change in place.
Puppet::Type.newtype(:basket) do
  newparam(:name, namevar: true)
  newparam(:owner)
  newparam(:owner_id)

  newparam(:label) do
    munge do |value|
      parts = value.split(':')
      first = parts.shift
      text = ''
      text << first
      text << "-#{parts.size}"
      text
    end
  end

  newproperty(:fruit) do
    munge do |value|
      value['count'] = value['count'].to_i
      value['size'] ||= 'small'
      value.each do |k, v|
        value[k] = v.strip if v.is_a?(String)
      end
      value
    end
  end

  newproperty(:pairs) do
    munge do |value|
      all = {}
      value.split(',').each do |pair|
        key, val = pair.split('=', 2)
        all[key.strip] = val
      end
      all
    end
  end

  newproperty(:lids) do
    munge do |value|
      if value.is_a?(Array)
        value.each { |v| v['lid'] = true }
      end
      value
    end
  end

  # What was changed inside of a list is not to be seen in it.
  newproperty(:nuts) do
    munge do |value|
      value.each do |v|
        v['nut'] = true
        debug(v.inspect)
      end
      value
    end
  end

  newproperty(:kind) do
    munge do |value|
      if (word = value[/\w+/]) && word.length > 3
        word
      elsif (word = resource[:label]) && word
        word
      end
    end
    def insync?(is)
      is.to_set == should.to_set
    end
  end

  validate do
    id = self[:owner] or self[:owner_id]
    fail('whose?') unless id
    %w[owner owner_id].each { |who| self[who] = 'nobody' if self[who].nil? }
  end
end
