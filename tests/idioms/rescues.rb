# frozen_string_literal: false

# `rescue` of certain errors around code that may raise others. `record.rb` records what Ruby returns for the values in the comment before
# an attribute; errors that no clause selects are errors of the value.
module IdiomRescues
  class Error < ArgumentError; end
  class Missing < Error; end
  class Other < StandardError; end
  class NoKey < KeyError; end

  NAMES = { 'http' => 80, 'https' => 443 }.freeze

  # Ports and ranges of ports, as numbers.
  def self.ports(text)
    text.split(',').flat_map do |part|
      first, last = part.split('-', 2)
      from = port(first)
      last ? (from..port(last)).to_a : [from]
    end
  end

  # What a clause raises, no other one handles.
  def self.chained(text)
    port(text)
  rescue Missing
    raise Other, 'chained'
  rescue Error
    7
  end

  def self.port(text)
    return NAMES[text] if NAMES.key?(text)
    raise Missing, 'no port' if text.nil? || text.empty?
    raise Error, "#{text} is not a port" unless text =~ /\A\d+\z/
    number = Integer(text, 10)
    raise Other, "#{number} is too large" if number > 65_535
    raise "#{number} is reserved" if number.zero?
    number
  end
end

Puppet::Type.newtype(:idioms_rescues) do
  newparam(:name, namevar: true)

  # ['80','80-82','http','x','','70000','0',5,['a']]
  newparam(:re1) do
    munge do |value|
      begin
        IdiomRescues.ports(value)
      rescue ArgumentError
        'no ports'
      end
    end
  end

  # ['80','x','','70000','0',5]
  newparam(:re2) do
    munge do |value|
      IdiomRescues.ports(value).first
    rescue IdiomRescues::Missing => e
      "missing: #{e.message}"
    rescue IdiomRescues::Other, NoMethodError
      'other'
    end
  end

  # ['80','x','','70000','0',5,{'a'=>1}]
  newparam(:re3) do
    munge do |value|
      begin
        ports = IdiomRescues.ports(value)
        ports.map { |port| port + 1 }
      rescue RuntimeError, IdiomRescues::Error => e
        e.message.upcase
      end
    end
  end

  # ['80','x','','70000']
  newparam(:re4) do
    munge do |value|
      begin
        IdiomRescues.ports(value)
      rescue IdiomRescues::Other
        raise ArgumentError, 'too large'
      rescue IdiomRescues::Error => e
        raise Puppet::Error, "bad: #{e}"
      end
    end
  end

  # ['{"a": [1, 2]}','{"b": 1}','[1]','{',5]
  newparam(:re5) do
    munge do |value|
      begin
        JSON.parse(value).fetch('a').map { |n| n * 2 }
      rescue JSON::ParserError, KeyError
        []
      end
    end
  end

  # ['10.0.0.1/8','x','10.0.0.1/x','::1/64',5]
  newparam(:re6) do
    munge do |value|
      address, prefix = value.split('/', 2)
      [IPAddr.new(address).to_s, Integer(prefix)]
    rescue IPAddr::Error, TypeError
      nil.to_a
    end
  end

  # [[1,2],[1,'a'],[],['b','a'],5,[0,0]]
  newparam(:re7) do
    munge do |value|
      begin
        [value.sort, value.last / value.first].inspect
      rescue ZeroDivisionError, NoMethodError
        'none'
      end
    end
  end

  # ['http://a/b','HTTPS://a','ftp://a','a b','/x','mailto:a@b','ldaps://c']
  newparam(:re8) do
    munge do |value|
      uri = begin
        URI.parse(value)
      rescue URI::InvalidURIError => e
        raise ArgumentError, "bad: #{e.message}"
      end
      none = URI.parse(value) rescue nil
      [uri.is_a?(URI::HTTP), uri.kind_of?(URI::HTTPS), none.is_a?(URI::LDAP), URI(value).is_a?(URI::FTP), URI.parse(value).is_a?(URI::MailTo)]
    end
  end

  # ['5','x','y']
  newparam(:re9) do
    munge do |value|
      begin
        raise ArgumentError, 'x' if value == 'x'
        number = value.to_i
      rescue ArgumentError
        'argument'
      else
        [number, value]
      end
    end
  end

  # ['5','x','']
  newparam(:rf1) do
    munge { |value| IdiomRescues.chained(value) }
  end

  # ['key','index','5']
  newparam(:rf2) do
    munge do |value|
      begin
        raise IdiomRescues::NoKey, 'no key' if value == 'key'
        raise IndexError, 'no index' if value == 'index'
        value
      rescue KeyError
        'key error'
      rescue IndexError
        'index error'
      end
    end
  end

  # ['none','x','5']
  newparam(:rf3) do
    munge do |value|
      begin
        begin
          raise NotImplementedError, 'later' if value == 'none'
          Integer(value)
        rescue => e
          "handled: #{e.message[0, 7]}"
        end
      rescue NotImplementedError
        'not implemented'
      end
    end
  end

  # ['x','5']
  newparam(:rf4) do
    munge do |value|
      text = 'bad ' + value
      begin
        raise text if value == 'x'
        value
      rescue Puppet::Error
        'puppet'
      rescue RuntimeError => e
        e.message
      end
    end
  end

  # ['10.0.0.0/99','10.0.0.0/8','x','[::1]/64']
  newparam(:rf5) do
    munge do |value|
      begin
        IPAddr.new(value).to_s
      rescue IPAddr::InvalidPrefixError
        'prefix'
      rescue IPAddr::Error
        'address'
      end
    end
  end

  # The class of the error.
  # ['1', 'x', [1]]
  newparam(:ec1) do
    munge do |v|
      begin
        Integer(v)
      rescue ArgumentError => e
        "#{e.class}: #{e.message}"
      end
    end
  end

  # ['q', 'w', 'z', 'd', '{']
  newparam(:ec2) do
    munge do |v|
      begin
        raise TypeError, 'q' if v == 'q'
        raise 'w' if v == 'w'
        fail 'z' if v == 'z'
        fail(Puppet::DevError, 'd') if v == 'd'
        JSON.parse(v)
      rescue => e
        [e.class.name, e.class == TypeError, e.class.to_s.split('::').last]
      end
    end
  end

  # ['1.2.3.4', 'x', '1.2.3.4/99', 3]
  newparam(:ec3) do
    munge do |v|
      IPAddr.new(v).to_s
    rescue IPAddr::Error => error
      "#{error.class}"
    rescue StandardError => error
      "other #{error.class}"
    end
  end
end
