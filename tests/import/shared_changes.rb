# Changes in place that another local, a container or the caller shows stay in Ruby.
Puppet::Type.newtype(:shared_changes) do
  newparam(:name, namevar: true)

  newparam(:records) do
    munge do |lines|
      all = []
      current = nil
      lines.each do |line|
        if line.start_with?('[')
          current = { 'name' => line, 'items' => [] }
          all << current
        elsif current
          current['items'] << line
        end
      end
      all
    end
  end

  newparam(:counted) do
    munge do |list|
      item = { 'n' => 0 }
      seen = []
      list.each do
        item['n'] += 1
        seen << item
      end
      seen
    end
  end

  newparam(:named_twice) do
    munge do |value|
      list = value['list'] || []
      other = value
      other << 'z'
      [list, value]
    end
  end

  newparam(:put_away) do
    munge do |value|
      table = { 'k' => value }
      value << 'z'
      table
    end
  end

  newparam(:put_away_before) do
    munge do |value|
      value << 'z'
      { 'k' => value }
    end
  end

  newparam(:checked) do
    validate do |value|
      value.strip!
      raise ArgumentError, 'empty' if value.empty?
    end
  end

  newparam(:checked_text) do
    validate do |value|
      value = value.to_s
      value.strip!
      raise ArgumentError, 'empty' if value.empty?
    end
  end

  newparam(:checked_copy) do
    validate do |value|
      value = value.dup
      value.strip!
      raise ArgumentError, 'empty' if value.empty?
    end
  end

  newparam(:of_block) do
    munge do |value|
      last = 'none'
      value.each { |v; last| last = v }
      last
    end
  end

  newparam(:false_or_true) do
    defaultto { resource[:name] == 'a' ? false : true }
  end

  newparam(:modified) do
    defaultto { resource[:name] == 'a' if resource[:records] }
  end

  newparam(:with_local) do
    defaultto do
      if resource[:records]
        name = resource[:name]
        name.empty? || name
      end
    end
  end

  newparam(:of_closure) do
    munge do |value|
      all = []
      value.each do |key, entry|
        entry['role'] = key if entry.is_a?(Hash)
        all << { key => entry }
      end
      all
    end
  end

  newparam(:rescued) do
    defaultto { Integer(resource[:records]) rescue false }
  end

  newparam(:computed) do
    defaultto do
      case resource[:name]
      when 'a' then false
      else 1
      end
    end
  end

  newparam(:computed_later) do
    defaultto do
      name = resource[:name]
      name.start_with?('a')
    end
  end

  newparam(:returned) do
    defaultto do
      return false if resource[:name] == 'a'
      true
    end
  end

  newparam(:taken_out) do
    munge do |value|
      list = value['list'] || (value['list'] = [])
      list << 'z'
      value
    end
  end

  newparam(:checked_alias) do
    validate do |value|
      options = value
      options.delete('x')
    end
  end

  newparam(:checked_without_spaces) do
    validate do |value|
      raise ArgumentError, 'digits' unless value.delete(' ')[/\A\d+\z/]
    end
  end
end
