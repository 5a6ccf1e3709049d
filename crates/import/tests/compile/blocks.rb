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
#=>     munge { |v|
#=>       let list = v
#=>       untranslated("the method `<<` is not supported")
#=>     }
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
#=>     untranslated munge, "the type has no attribute `other`", ruby: "munge { |v| resource[:other] }"
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
#=>     untranslated munge, "`super` is not supported", ruby: "munge { |v| super(v) }"
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
