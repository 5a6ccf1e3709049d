require 'set'

Puppet::Type.newtype(:idioms_sets) do
  newparam(:name, namevar: true)

  # [['b', 'a', 'b'], [], ['c']]
  newparam(:se1) do
    def sets_1(value)
      set = Set.new(value)
      other = %w[a b].to_set
      [set == other, set.subset?(other), set.superset?(other), set.size, set.include?('b'), set.empty?, set.to_a.sort]
    end
    munge { |value| [sets_1(value)] }
  end

  # [['b', 'a', 'b'], ['c', 'd']]
  newparam(:se2) do
    def sets_2(value)
      set = Set['a', 'c'] | value
      [set.sort, (value.to_set & %w[a d]).to_a, (value.to_set - ['b']).to_a, (value.to_set ^ %w[a c]).to_a.sort]
    end
    munge { |value| [sets_2(value)] }
  end

  # [['b', 'a'], ['a', 'a', 'x']]
  newparam(:se3) do
    def sets_3(value)
      seen = Set.new
      value.each { |x| seen << x }
      seen.add('z')
      seen.delete('a')
      seen.merge(%w[q b])
      [seen.to_a.sort, seen.any? { |x| x == 'q' }, seen.disjoint?(Set['y']), seen.proper_subset?(Set.new(%w[b q x z y])), seen.inspect.length]
    end
    munge { |value| [sets_3(value)] }
  end

  # [['b', 'A'], ['a', 'B', 'b']]
  newparam(:se4) do
    def sets_4(value)
      lower = Set.new(value) { |x| x.downcase }
      lower.select { |x| x > 'a' }.to_a + [lower.length, lower != Set['a', 'b'], lower <= %w[a b c].to_set]
    end
    munge { |value| [sets_4(value)] }
  end
end
