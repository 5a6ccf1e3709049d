# Code in blocks.
LEVELS = %w[low high].freeze

Puppet::Type.newtype(:lamp, self_refresh: true) do
  @doc = 'A lamp.'

  feature :dimmable, 'Can be dimmed.', methods: [:dim]

  def self.title_patterns
    [[/\A(.*)@(.*)\z/m, [[:name], [:room]]], [/\A(.*)\z/m, [[:name]]]]
  end

  newparam(:name) do
    validate do |value|
      if m = %r{^(\w+)/(\d+)$}.match(value)
        room = m[1]
      elsif m = /^(\w+)$/.match(value)
        room = m[1]
      else
        raise ArgumentError, _('Bad name %{name}.') % { name: value }
      end
      raise(ArgumentError, "#{room} is too long") if room.length > 8
    end
  end

  newparam(:room) do
    isnamevar
  end

  newparam(:path) do
    validate do |value|
      path = Pathname.new(value)
      fail("#{value} is relative") unless path.absolute?
    end
  end

  newproperty(:level, required_features: :dimmable) do
    newvalues(*LEVELS)
    newvalues(:off, /\A\d+%\z/)
    aliasvalue(:dark, :off)
    validate { |v| raise ArgumentError, 'no' if v.nil? }
    munge do |value|
      case value
      when 'low', :low then 10
      when Integer then value
      when /\A(\d+)%\z/
        Integer($1)
      else
        value.respond_to?(:to_i) ? value.to_i : 0
      end
    end
  end

  newproperty(:tags, array_matching: :all) do
    munge do |value|
      parts = []
      value.split(',').each do |part|
        next if part.empty?
        parts << part.strip
      end
      parts
    end
    defaultto { Facter.value(:lamp_tags) == 'on' }
  end

  def lit?(level)
    level.to_i > 0
  end

  autorequire(:file) { self[:path] }

  validate do
    fail('too dark') unless lit?(self[:level])
  end

  def refresh
    provider.restart if self[:ensure] != :absent
  end
end
