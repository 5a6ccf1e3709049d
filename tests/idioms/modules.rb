# frozen_string_literal: false

# Ruby's core language in blocks. `record.rb` records what Ruby returns for the values in the comment before an attribute.
module IdiomsNamedAsBuiltIns
  def parse_json(value)
    value.is_a?(String) ? JSON.parse(value) : value
  end

  def sha256(value)
    "sum of #{value}"
  end
end

Puppet::Type.newtype(:idioms_modules) do
  newparam(:name, namevar: true)

  # [[3,1,2,2]]
  newparam(:mo1) do
    def modules_1(value)
      require 'set'
      value.to_set == Set.new([1,2,3])
    end
    munge { |value| [modules_1(value)] }
  end

  # [[3,1,2,2]]
  newparam(:mo2) do
    def modules_2(value)
      require 'set'
      Set.new(value).subset?(Set.new([1,2,3,4]))
    end
    munge { |value| [modules_2(value)] }
  end

  # ['5.5','x']
  newparam(:mo3) do
    def modules_3(value)
      begin
        Float(value)
      rescue ArgumentError, TypeError
        raise Puppet::Error, "no"
      end
    end
    munge { |value| [modules_3(value)] }
  end

  # ['http://a/b','::bad uri::']
  newparam(:mo4) do
    def modules_4(value)
      begin
        URI.parse(value).scheme
      rescue URI::InvalidURIError
        'bad'
      end
    end
    munge { |value| [modules_4(value)] }
  end

  # ['http://a/b','x','puppet:///modules/x']
  newparam(:mo5) do
    def modules_5(value)
      u = URI.parse(value)
      raise "not" unless ['http','https'].include?(u.scheme)
      raise "path" if u.path.nil? || u.path.empty?
      value
    end
    munge { |value| [modules_5(value)] }
  end

  # ['{"a":1}','x']
  newparam(:mo6) do
    def modules_6(value)
      begin
        JSON.parse(value)
      rescue JSON::ParserError
        'bad'
      end
    end
    munge { |value| [modules_6(value)] }
  end

  # [{'a'=>1}]
  newparam(:mo7) do
    def modules_7(value)
      [value.to_json, JSON.generate(value), JSON.pretty_generate(value)]
    end
    munge { |value| [modules_7(value)] }
  end

  # ['^a','(']
  newparam(:mo8) do
    def modules_8(value)
      begin
        Regexp.new(value)
        'ok'
      rescue RegexpError
        'bad'
      end
    end
    munge { |value| [modules_8(value)] }
  end

  # ['10.0.0.1','x','10.0.0.0/8','::1']
  newparam(:mo9) do
    def modules_9(value)
      begin
        IPAddr.new(value)
        value
      rescue IPAddr::InvalidAddressError
        'bad'
      end
    end
    munge { |value| [modules_9(value)] }
  end

  # ['10.0.0.1','10.1.2.3/8']
  newparam(:mo10) do
    def modules_10(value)
      IPAddr.new(value).to_s
    end
    munge { |value| [modules_10(value)] }
  end

  # ['10.0.0.1', 'x']
  newparam(:mo11) do
    def modules_11(value)
      begin
        IPAddr.new(value).ipv4?
      rescue
        false
      end
    end
    munge { |value| [modules_11(value)] }
  end

  # ['a']
  newparam(:mo12) do
    def modules_12(value)
      [Digest::MD5.hexdigest(value), Digest::SHA256.hexdigest(value), Digest::SHA1.hexdigest(value)]
    end
    munge { |value| [modules_12(value)] }
  end

  # ['1.2.3']
  newparam(:mo13) do
    def modules_13(value)
      [Puppet::Util::Package.versioncmp(value, '1.10'), value.split('.').map(&:to_i) <=> [1, 10]]
    end
    munge { |value| [modules_13(value)] }
  end

  # The classes of attributes have names in the constants of Puppet.
  # ['a', 1]
  newparam(:cn1) do
    munge { |v| "#{self.class} #{self.class.to_s.split('::').last} #{resource.class}: #{v}" }
  end

  # ['a', 'b', 1, 2.5, [1], { 'a' => 1 }, true, false]
  newparam(:cn2) do
    munge { |v| [v.class == 'x'.class, v.class != 1.class, true.class == v.class] }
  end

  # Methods with the names of functions of the language.
  # ['{"a":1}', '[2]', 3]
  newparam(:na1) do
    include IdiomsNamedAsBuiltIns
    munge { |value| [parse_json(value), sha256(value), Digest::SHA256.hexdigest('a')[0, 4]] }
  end

  # ['a']
  newparam(:na2) do
    munge { |value| resource.versioncmp(value, 'b') }
  end

  def versioncmp(one, other)
    "#{one} #{other} #{Puppet::Util::Package.versioncmp('1.10', '1.9')}"
  end
end
