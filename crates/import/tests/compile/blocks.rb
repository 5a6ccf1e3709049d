desc "One line."
#=>  {
#=>     desc "One line."
#=>   }
# --
desc "Several
  lines."
#=>  {
#=>     desc """
#=>       Several
#=>       lines.
#=>       """
#=>   }
# --
newvalues(:on, 'off', /^a$/)
#=>  {
#=>     newvalues on, off, /(?m:^a$)/
#=>   }
# --
defaultto 'x'
#=>  {
#=>     defaultto "x"
#=>   }
# --
defaultto { resource[:name] }
#=>  {
#=>     defaultto { self.name }
#=>   }
# --
defaultto { resource[:name] == 'a' }
#=>  {
#=>     defaultto { true if self.name == "a" }
#=>   }
# --
validate { |v| raise ArgumentError, "bad #{v}" unless v =~ /^[a-z]+$/ }
#=>  {
#=>     validate { |v| fail "bad #{v}" unless v =~ /(?m:^[a-z]+$)/ }
#=>   }
# --
newvalues(:on)
validate { |v| fail 'no' if v.empty? }
#=>  {
#=>     newvalues on
#=>     override validate { |v| fail "no" if v.empty? }
#=>   }
# --
validate { |v| raise Puppet::Error, _('%{v} of %{name}') % { v: v, name: resource[:name] } if v.nil? || v == :absent }
#=>  {
#=>     validate { |v| fail "#{v} of #{self.name}" if v.nil? || v == :absent }
#=>   }
# --
munge { |v| v.to_s.strip.downcase }
#=>  {
#=>     munge { |v| v.to_s.strip.downcase }
#=>   }
# --
munge do |v|
  v = v.to_s
  v.capitalize! if v =~ /a/
  v
end
#=>  {
#=>     munge { |v|
#=>       v = v.to_s
#=>       untranslated("the method `capitalize!` is not supported") if v =~ /a/
#=>       v
#=>     }
#=>   }
# --
munge do |v|
  v = v.strip
  v.capitalize! if v =~ /a/
  v
end
#=>  {
#=>     munge { |v|
#=>       v = v.strip
#=>       v = v.capitalize if v =~ /a/
#=>       v
#=>     }
#=>   }
# --
munge do |v|
  if v.is_a?(Array)
    out = v.map { |x| x.to_i }
  else
    out = [v]
  end
  out.uniq
end
#=>  {
#=>     munge { |v|
#=>       let out = nil
#=>       if v.is_a?(Array) {
#=>         out = v.map { |x| x.to_i }
#=>       } else {
#=>         out = [v]
#=>       }
#=>       out.uniq
#=>     }
#=>   }
# --
munge do |v|
  case v
  when /^\d+$/ then Integer(v)
  when String, :auto then v.to_sym
  else raise ArgumentError, 'bad'
  end
end
#=>  {
#=>     munge { |v|
#=>       match v {
#=>         /(?m:^\d+$)/   => Integer(v)
#=>         String | :auto => v.to_sym
#=>         _              => fail "bad"
#=>       }
#=>     }
#=>   }
# --
munge { |v| resource[:wide] ? v : v.upcase }
#=>  {
#=>     munge { |v| !self.wide.nil? ? v : v.upcase }
#=>   }
# --
munge { |v| v.unknown_method }
#=>  {
#=>     untranslated munge, "the method `unknown_method` is not supported",
#=>       ruby: "munge { |v| v.unknown_method }"
#=>   }
# --
validate do |v|
  raise ArgumentError, 'empty' if v.empty?
  resource.something_else(v)
end
#=>  {
#=>     validate { |v|
#=>       fail "empty" if v.empty?
#=>       untranslated("the method `something_else` is not supported")
#=>     }
#=>   }
# --
munge do |v|
  list = []
  v.each { |x| list << x.to_s }
  list
end
#=>  {
#=>     munge { |v|
#=>       let list = []
#=>       v.each { |x| list = list.push(x.to_s) }
#=>       list
#=>     }
#=>   }
# --
munge do |v|
  list = v
  list << 'x'
  list
end
#=>  {
#=>     untranslated munge, "the method `<<` is not supported", ruby: """
#=>         munge do |v|
#=>           list = v
#=>           list << 'x'
#=>           list
#=>         end
#=>         """
#=>   }
# --
munge { |v| resource[:value] || v }
#=>  {
#=>     untranslated munge, "the value of the attribute before it is set is not supported",
#=>       ruby: "munge { |v| resource[:value] || v }"
#=>   }
# --
munge { |v| resource[:other] }
#=>  {
#=>     munge { |v| fail("Invalid parameter other(:other)") }
#=>   }
# --
def insync?(is)
  is.to_s == should.to_s
end
#=>  {
#=>     insync { |is| is.to_s == should.to_s }
#=>   }
# --
def is_to_s(v)
  resource.wide? ? 'secret' : v
end
#=>  {
#=>     is_to_s { |v| self.wide? ? "secret" : v }
#=>   }
# --
def helper(v)
  v
end
munge { |v| helper(v) }
#=>  {
#=>     munge { |v| helper(v) }
#=>   }
#=>   fn helper(v) { v }
# --
def property_matches?(a, b)
  a == b
end
#=>  {
#=>     untranslated attribute, "the method `property_matches?` of Puppet is replaced", ruby: """
#=>         def property_matches?(a, b)
#=>           a == b
#=>         end
#=>         """
#=>   }
# --
munge { |v| super(v) }
#=>  {
#=>     munge { |v| v }
#=>   }
# --
validate { |v| raise ArgumentError, 'never' }
#=>  {
#=>     readonly "never"
#=>   }
# --
munge { |v| Integer(v) }
#=>  {
#=>     munge { |v| Integer(v) }
#=>   }
# --
validate { |v| fail 'no' if v.instance_of?(Integer) }
#=>  {
#=>     validate { |v| fail "no" if v.is_a?(Integer) }
#=>   }
# --
validate { |v| fail 'no' if v.instance_of?(Numeric) }
#=>  {
#=>     untranslated validate, "the constant `Numeric` is not supported",
#=>       ruby: "validate { |v| fail 'no' if v.instance_of?(Numeric) }"
#=>   }
# --
def helper(v, deep = false) = deep ? v.strip : v
munge { |v| helper(v, true) }
#=>  {
#=>     munge { |v| helper(v, true) }
#=>   }
#=>   fn helper(v, deep = false) { deep ? v.strip : v }
# --
munge do |v|
  begin
    Integer(v)
  rescue ArgumentError => e
    raise ArgumentError, "no number: #{e.message}"
  end
end
#=>  {
#=>     munge { |v|
#=>       try { Integer(v) } else "ArgumentError" { |e| fail "no number: #{e}", error: "ArgumentError" }
#=>     }
#=>   }
# --
def insync?(is)
  return true if is == :any
  super
end
#=>  {
#=>     insync { |is|
#=>       return true if is == :any
#=>       super
#=>     }
#=>   }
# --
validate { |v| v =~ /a/ or raise(ArgumentError, "#{name} is a #{v.class}") }
#=>  {
#=>     validate { |v| fail "value is a #{type_of(v)}" unless v =~ /a/ }
#=>   }
# --
validate do |v|
  # A path.
  raise ArgumentError, 'not absolute' unless Pathname.new(v).absolute? # always
end
#=>  {
#=>     validate { |v|
#=>       # A path.
#=>       fail "not absolute" unless v.absolute?  # always
#=>     }
#=>   }
# --
defaultto { [:name, :wide].map { |other| resource[other] } }
#=>  {
#=>     defaultto { [:name, :wide].map { |other| self[other] } }
#=>   }
# --
UNITS = { 'k' => 1000 }.freeze
munge { |v| UNITS[v] }
#=>  {
#=>     munge { |v| UNITS[v] }
#=>   }
# --
defaultto({})
#=>  {
#=>     defaultto ({})
#=>   }
# --
munge do |v|
  resource[:wide] = :true
  v
end
#=>  {
#=>     untranslated munge, "an assignment to an attribute is not supported", ruby: """
#=>         munge do |v|
#=>           resource[:wide] = :true
#=>           v
#=>         end
#=>         """
#=>   }
# --
munge { |v| v.empty? ? nil : v.strip }
#=>  {
#=>     munge { |v| v.strip unless v.empty? }
#=>   }
# --
validate { |value| raise 'no map' unless value.class == Hash }
#=>  {
#=>     validate { |value| fail "no map" unless type_of(value) == "Hash" }
#=>   }
# --
validate { |value| raise 'no word' unless [String, Symbol].include?(value.class) }
#=>  {
#=>     validate { |value| fail "no word" unless ["String", "Symbol"].include?(type_of(value)) }
#=>   }
# --
validate { |value| raise 'no list' unless value.respond_to?(:each) }
#=>  {
#=>     validate { |value| fail "no list" unless value.is_a?(Variant[Array, Hash]) }
#=>   }
# --
validate { |value| raise ArgumentError, '%s is not a number' % value unless value =~ /\A\d+\z/ }
#=>  {
#=>     validate { |value|
#=>       fail format("%s is not a number", value.is_a?(Array) ? value[0] : value) \
#=>         unless value =~ /\A\d+\z/
#=>     }
#=>   }
# --
validate do |value|
  super(value)
  raise 'empty' if value.empty?
end
#=>  {
#=>     validate { |value| fail "empty" if value.empty? }
#=>   }
# --
newvalues(:left, :right)
validate do |value|
  super(value)
  raise 'empty' if value.empty?
end
#=>  {
#=>     newvalues left, right
#=>     override validate { |value|
#=>       super
#=>       fail "empty" if value.empty?
#=>     }
#=>   }
# --
validate do |value|
  super
  raise 'empty' if value.empty?
end
#=>  {
#=>     untranslated validate, "`super` is not supported", ruby: """
#=>         validate do |value|
#=>           super
#=>           raise 'empty' if value.empty?
#=>         end
#=>         """
#=>   }
# --
munge { |value| value.to_s }
munge { |value| value.downcase }
#=>  {
#=>     munge { |value| value.downcase }
#=>   }
# --
munge { |value| value.to_s }
def munge(value)
  value.downcase
end
#=>  {
#=>     override munge { |value| value.downcase }
#=>   }
# --
munge { |value| value.to_s }
def munge(value)
  super(value.downcase)
end
#=>  {
#=>     untranslated munge, "`super` is not supported", ruby: """
#=>         def munge(value)
#=>           super(value.downcase)
#=>         end
#=>         """
#=>   }
# --
def insync?(is)
  is.to_set == should.to_set
end
#=>  {
#=>     insync { |is| (is - should).empty? && (should - is).empty? }
#=>   }
# --
def insync?(is)
  @should.any? { |one| one == is }
end
#=>  {
#=>     insync { |is| self.values(:value).any? { |one| one == is } }
#=>   }
# --
munge do |value|
  if (short = value.to_s.strip).empty?
    raise 'empty'
  end
  short
end
#=>  {
#=>     munge { |value|
#=>       let short = nil
#=>       fail "empty" if value.to_s.strip.then { |given| short = given }.empty?
#=>       short
#=>     }
#=>   }
# --
validate { |value| raise Regexp.last_match(1) if value =~ /(a+)/ }
#=>  {
#=>     validate { |value| fail $1 if value =~ /(a+)/ }
#=>   }
# --
def should
  @should.map(&:to_s).sort
end
def insync?(is)
  is == should || is == @should
end
#=>  {
#=>     should { |values| values.map { |x| x.to_s }.sort }
#=>     insync { |is| is == should || is == self.values(:value) }
#=>   }
# --
def should=(values)
  super
  @should.flatten!
end
#=>  {
#=>     untranslated should, "the method `should=` of Puppet is replaced"
#=>     untranslated attribute, "the method `should=` of Puppet is replaced", ruby: """
#=>         def should=(values)
#=>           super
#=>           @should.flatten!
#=>         end
#=>         """
#=>   }
# --
validate { |value| raise 'wrong' unless /\A\d+/.match(value).to_s == value }
#=>  {
#=>     validate { |value| fail "wrong" unless (/\A\d+/.match(value) || [])[0].to_s == value }
#=>   }
# --
munge do |value|
  found = value.match(/(\d+)\.(\d+)/)
  found ? found.captures.map(&:to_i) : Hash[value.split(',').map { |pair| pair.split('=') }]
end
#=>  {
#=>     munge { |value|
#=>       let found = value.match(/(\d+)\.(\d+)/)
#=>       found
#=>         ? found.captures.map { |x| x.to_i }
#=>         : value.split(",").map { |pair| pair.split("=") }.to_h
#=>     }
#=>   }
# --
munge do |value|
  if value.is_a?(Integer)
    value
  elsif found = value.match(/\A(\d+)m\z/)
    found[1].to_i
  else
    value.to_i
  end
end
#=>  {
#=>     munge { |value|
#=>       if value.is_a?(Integer) {
#=>         value
#=>       } else {
#=>         let found = value.match(/\A(\d+)m\z/)
#=>         if found {
#=>           found[1].to_i
#=>         } else {
#=>           value.to_i
#=>         }
#=>       }
#=>     }
#=>   }
# --
validate do |value|
  begin
    IPAddr.new(value) unless value == 'any'
  rescue ArgumentError
    raise 'no address'
  end
end
#=>  {
#=>     validate { |value|
#=>       try {
#=>         if !(value == "any") { ip(value) }
#=>       } else "ArgumentError" {
#=>         fail "no address", error: "RuntimeError"
#=>       }
#=>     }
#=>   }
# --
def insync?(is)
  copy = Marshal.load(Marshal.dump(should))
  is == copy
end
#=>  {
#=>     insync { |is|
#=>       let copy = should
#=>       is == copy
#=>     }
#=>   }
# --
munge do |v|
  first, *rest = v.split('/')
  kind, name = rest
  "#{first} #{kind} #{name}"
end
#=>  {
#=>     munge { |v|
#=>       let first_list = v.split("/")
#=>       let first = first_list[0]
#=>       let rest = first_list[1..] || []
#=>       let kind_list = Array(rest)
#=>       let kind = kind_list[0]
#=>       let name = kind_list[1]
#=>       "#{first} #{kind} #{name}"
#=>     }
#=>   }
# --
munge do |v|
  v['size'] = 1 unless v.key?('size')
  v
end
#=>  {
#=>     munge { |v|
#=>       v = v.put("size", 1) unless v.key?("size")
#=>       v
#=>     }
#=>   }
# --
validate do |v|
  limits = { 'a' => 1 }
  limits['b'] = v
  all = v.split(',')
  first = all.shift
  raise ArgumentError, "#{first} of #{all}" unless limits.key?(first)
end
#=>  {
#=>     validate { |v|
#=>       let limits = {"a" => 1}
#=>       limits = limits.put("b", v)
#=>       let all = v.split(",")
#=>       let first = all.first
#=>       all = all.drop(1)
#=>       fail "#{first} of #{all}" unless limits.key?(first)
#=>     }
#=>   }
# --
munge do |v|
  list = v.to_s.split(',')
  list.map! { |x| x.strip }
  list.reject! { |x| x.empty? }
  list
end
#=>  {
#=>     munge { |v|
#=>       let list = v.to_s.split(",")
#=>       list = list.map { |x| x.strip }
#=>       list.reject { |x| x.empty? }
#=>     }
#=>   }
# --
munge do |v|
  other = v.split(',')
  list = other || []
  list << 'x'
  other
end
#=>  {
#=>     munge { |v|
#=>       let other = v.split(",")
#=>       let list = other || []
#=>       untranslated("the method `<<` is not supported")
#=>     }
#=>   }
# --
munge do |v|
  size = case v
         when 'small' then 1
         else
           raise ArgumentError, 'too large' if v == 'huge'
           2
         end
  kind = if size > 1
           v.to_s
         else
           'one'
         end
  "#{kind} #{size}"
end
#=>  {
#=>     munge { |v|
#=>       let size = match v {
#=>         "small" => 1
#=>         _ => {
#=>           fail "too large" if v == "huge"
#=>           2
#=>         }
#=>       }
#=>       let kind = size > 1 ? v.to_s : "one"
#=>       "#{kind} #{size}"
#=>     }
#=>   }
# --
validate do |v|
  raise ArgumentError, 'no number' unless v =~ /^(\d+)$/ && (number = Regexp.last_match[1].to_i)
  raise ArgumentError, 'too large' unless (1..9).include?(number) || [0, *(20..29)].include?(number)
end
#=>  {
#=>     validate { |v|
#=>       let number = nil
#=>       fail "no number" unless v =~ /(?m:^(\d+)$)/ && $1.to_i.then { |given| number = given }
#=>       fail "too large" unless range(1, 9).include?(number) || ([0] + 20.upto(29)).include?(number)
#=>     }
#=>   }
# --
munge do |v|
  found = v.match(/(?<host>[a-z]+):(?<port>\d+)/)
  found ? File.join(found[:host], File.basename(found['port'])) : v
end
#=>  {
#=>     munge { |v|
#=>       let found = v.match(/(?<host>[a-z]+):(?<port>\d+)/)
#=>       found ? join_paths(found[1], found[2].basename) : v
#=>     }
#=>   }
# --
def insync?(is)
  provider.same?(is, should) || provider.respond_to?(:all) && is == provider.current
end
#=>  {
#=>     insync { |is| provider.same?(is, should) || provider.has?(:all) && is == provider.current }
#=>   }
# --
validate { |v| raise ArgumentError, 'bad' unless v =~ Resolv::IPv4::Regex || provider.accepts?(v) }
#=>  {
#=>     untranslated validate, "this call of the provider is not supported",
#=>       ruby: "validate { |v| raise ArgumentError, 'bad' unless v =~ Resolv::IPv4::Regex || provider.accepts?(v) }"
#=>   }
# --
munge { |v| File.expand_path(v) + File.expand_path(v, '/srv') }
#=>  {
#=>     untranslated munge, "the constant `File` is not supported",
#=>       ruby: "munge { |v| File.expand_path(v) + File.expand_path(v, '/srv') }"
#=>   }
# --
munge do |v|
  found = {}
  v.each_pair { |key, value| found[key] = value unless value.nil? }
  v = found
  v
end
#=>  {
#=>     munge { |v|
#=>       let found = {}
#=>       v.each_pair { |key, value|
#=>         untranslated("this assignment is not supported") unless value.nil?
#=>       }
#=>       found
#=>     }
#=>   }
# --
munge do |v|
  found = {}
  v = found
  found['x'] = 1
  v
end
#=>  {
#=>     munge { |v|
#=>       let found = {}
#=>       v = found
#=>       untranslated("this assignment is not supported")
#=>     }
#=>   }
# --
newvalues(/\A(?m:a.b)$/, /(?mi-x:a)b/, /(?-m:^a)/m)
#=>  {
#=>     newvalues /(?m:\A(?s:a.b)$)/, /(?si-x:a)b/, /(?m:(?-s:^a))/s
#=>   }
# --
def self.plain(value)
  value.to_s.strip
end
munge { |value| self.class.plain(value) }
#=>  {
#=>     munge { |value| plain(value) }
#=>   }
#=>   fn plain(value) { value.to_s.strip }
# --
validate { |value| error value unless value == 'default' }
#=>  {
#=>     validate { |value| fail("undefined method `error'") unless value == "default" }
#=>   }
# --
validate { |value| raise ArgumentError, "#{resource.ref}: #{value}" if value.to_s.delete('a-z').empty? }
#=>  {
#=>     validate { |value| fail "#{ref(self)}: #{value}" if value.to_s.delete_chars("a-z").empty? }
#=>   }
# --
munge do |value|
  value.gsub!(/a/, 'b')
  value
end
#=>  {
#=>     munge { |value| value.gsub(/a/, "b") }
#=>   }
# --
defaultto do
  path = Pathname.new(resource[:name])
  "#{path.dirname}/#{path.basename(path.extname)}.key"
end
#=>  {
#=>     defaultto {
#=>       let path = self.name
#=>       "#{path.dirname}/#{path.basename(path.extname)}.key"
#=>     }
#=>   }
# --
munge do |value|
  address = IPAddr.new(value)
  address.ipv4? ? address.to_s : "[#{address}]"
end
#=>  {
#=>     munge { |value|
#=>       let address = ip(value)
#=>       address.ipv4? ? address.ip_network.ip_address : "[#{address.ip_network.ip_address}]"
#=>     }
#=>   }
# --
munge { |value| IPAddr.new(value) }
#=>  {
#=>     untranslated munge, "the constant `IPAddr` is not supported",
#=>       ruby: "munge { |value| IPAddr.new(value) }"
#=>   }
# --
munge do |value|
  address = IPAddr.new(value)
end
#=>  {
#=>     munge { |value|
#=>       let address = ip(value)
#=>       untranslated("an address as a value is not supported")
#=>     }
#=>   }
