# frozen_string_literal: true

# Versions and requirements of RubyGems.
module IdiomsVersions
  def self.newest(values)
    newest = Gem::Version.new('0')
    values.each do |value|
      version = Gem::Version.new(value)
      newest = version if version > newest
    end
    newest.to_s
  end
end

Puppet::Type.newtype(:idioms_versions) do
  # ['1.10', '1.9', '1.9.0', '1.9.rc1', '', 'v1', '1-1']
  newparam(:compared) do
    munge do |value|
      version = Gem::Version.new(value)
      limit = Gem::Version.new('1.9')
      [version < limit, version <= limit, version > limit, version >= limit, version == limit, version != limit, version <=> limit]
    end
  end

  # ['1.5', '2', '0.9', 'x']
  newparam(:between) do
    munge { |value| Gem::Version.new(value).between?(Gem::Version.new('1'), Gem::Version.new('1.9')) ? 'in' : 'out' }
  end

  # ['1.0', 'v1', '1.', '1.x']
  newparam(:correct) do
    munge { |value| Gem::Version.correct?(value) ? value : 'none' }
  end

  # ['1.2.3', '1.3', '1.2', '2.0.rc1', '?']
  newparam(:satisfied) do
    munge do |value|
      requirement = Gem::Requirement.new('~> 1.2.1')
      [
        requirement.satisfied_by?(Gem::Version.new(value)),
        Gem::Requirement.new('> 1', '< 2').satisfied_by?(Gem::Version.new(value)),
        Gem::Requirement.new(['>= 1.2', '!= 1.3']).satisfied_by?(Gem::Version.new(value)),
      ]
    end
  end

  # ['~> 1.2', '>= 2.a', '> 1', '=> 1']
  newparam(:required) do
    munge do |value|
      [Gem::Dependency.new('', value).match?('', '1.5'), Gem::Dependency.new('', value).match?('', '2.0.rc1')]
    end
  end

  # ['1.2.rc3', '1.0-2', '007']
  newparam(:parts) do
    munge { |value| [Gem::Version.new(value).segments, Gem::Version.new(value).to_s, Gem::Version.new(value).prerelease?] }
  end

  # [['1.2', '1.10', '1.9'], []]
  newparam(:newest) do
    munge { |value| IdiomsVersions.newest([value].flatten) }
  end

  # ['x']
  newparam(:loaded) do
    if Gem::Version.new('1.10') > Gem::Version.new('1.9') && Gem::Requirement.new('~> 1.2').satisfied_by?(Gem::Version.new('1.3'))
      munge { |value| "#{value} is new" }
    end
  end

  newparam(:name, namevar: true)
end
