# A comment before the type.
Puppet::ResourceApi.register_type(
  name: 'shelf',
  docs: <<-TEXT,
    A shelf.

    It has boards.
  TEXT
  features: ['remote_resource', 'canonicalize'],
  attributes: {
    name: { type: 'String[1]', desc: 'Its name.', behaviour: :namevar },
    # Comes first.
    width: { type: 'Optional[Integer[1, 9]]', desc: 'Its width.', behaviour: :init_only },
    ensure: { type: 'Enum[present, absent]', desc: 'Whether it exists.', default: 'present' },
    boards: { type: 'Array[Struct[{length => Integer, Optional[wood] => Enum[oak, "red beech"]}]]', desc: 'Its boards.' },
    open: { type: 'Boolean', desc: 'Whether it has doors.', default: false },
    colour: { type: 'Variant[Boolean, Array[Pattern[/^[a-z]+$/]]]', desc: 'Its colour.' },
    owner: { type: 'String', desc: 'The owner.', behaviour: :parameter },
    weight: { type: 'Integer', desc: 'Its weight.', behavior: :read_only },
    place: { type: 'Room::Place', desc: 'An unknown type alias.' },
  },
  autorequire: { file: ['/etc/shelves', '$owner'], service: 'carpenter' },
)
#=> # A comment before the type.
#=> type shelf {
#=>   desc """
#=>     A shelf.
#=> 
#=>     It has boards.
#=>     """
#=>   apply_to device
#=>   newparam name {
#=>     isnamevar
#=>     desc "Its name. (a String[1])"
#=>     validate { |value|
#=>       fail "shelf.name expects a value of type String[1]" unless value.is_a?(String[1])
#=>     }
#=>   }
#=>   # Comes first.
#=>   newproperty ensure {
#=>     desc "Whether it exists. (a Enum[present, absent])"
#=>     newvalues absent, present
#=>     override munge { |value| value.to_s }
#=>     should { |values| values[0].to_sym }
#=>     insync { |is| is.to_s == should.to_s }
#=>     defaultto present
#=>   }
#=>   validate {
#=>     fail "shelf.ensure expects a value of type Enum[present, absent]", at: :ensure \
#=>       if self.raw(:ensure).is_a?(Array)
#=>   }
#=>   newproperty width {
#=>     init_only
#=>     desc "Its width. (a Optional[Integer[1, 9]])"
#=>     validate { |_|
#=>       fail "shelf.width expects a value of type Optional[Integer[1, 9]]" \
#=>         unless self.raw(:width).is_a?(Optional[Integer[1, 9]])
#=>     }
#=>   }
#=>   validate {
#=>     fail "shelf.width expects a value of type Optional[Integer[1, 9]]", at: :width \
#=>       if self.raw(:width) == []
#=>   }
#=>   newproperty boards, array_matching: all {
#=>     desc "Its boards. (a Array[Struct[{length => Integer, Optional[wood] => Enum[oak, \"red beech\"]}]])"
#=>     validate { |_|
#=>       fail "shelf.boards expects a value of type Array[Struct[{length => Integer, Optional[wood] => Enum[oak, \"red beech\"]}]]" \
#=>         unless self.raw(:boards).is_a?(
#=>           Array[Struct[{length => Integer, Optional[wood] => Enum["oak", "red beech"]}]],
#=>         )
#=>     }
#=>     should { |values| self.raw(:boards).is_a?(Array) ? values : values[0] }
#=>     insync { |is| is == should }
#=>   }
#=>   validate {
#=>     fail "shelf.boards expects a value of type Array[Struct[{length => Integer, Optional[wood] => Enum[oak, \"red beech\"]}]]",
#=>       at: :boards \
#=>       if self.raw(:boards) == []
#=>         && !self.raw(:boards).is_a?(
#=>           Array[Struct[{length => Integer, Optional[wood] => Enum["oak", "red beech"]}]],
#=>         )
#=>   }
#=>   newproperty open {
#=>     desc "Whether it has doors. (a Boolean)"
#=>     validate { |_|
#=>       fail "shelf.open expects a value of type Boolean" \
#=>         unless [:true, :false].include?(self.raw(:open)) || self.raw(:open).is_a?(Boolean)
#=>     }
#=>     should { |values| values[0] == true ? :true : values[0] == false ? :false : values[0] }
#=>     insync { |is| is.to_s == should.to_s }
#=>     defaultto { false }
#=>   }
#=>   validate { fail "shelf.open expects a value of type Boolean", at: :open if self.raw(:open) == [] }
#=>   newproperty colour, array_matching: all {
#=>     desc "Its colour. (a Variant[Boolean, Array[Pattern[/^[a-z]+$/]]])"
#=>     validate { |_|
#=>       fail "shelf.colour expects a value of type Variant[Boolean, Array[Pattern[/^[a-z]+$/]]]" \
#=>         unless [:true, :false].include?(self.raw(:colour))
#=>           || self.raw(:colour).is_a?(Variant[Boolean, Array[Pattern[/(?m:^[a-z]+$)/]]])
#=>     }
#=>     should { |values|
#=>       self.raw(:colour).is_a?(Array)
#=>         ? values
#=>         : values[0] == true ? :true : values[0] == false ? :false : values[0]
#=>     }
#=>     insync { |is| is == should || is.to_s == should.to_s && [:true, :false].include?(should) }
#=>   }
#=>   validate {
#=>     fail "shelf.colour expects a value of type Variant[Boolean, Array[Pattern[/^[a-z]+$/]]]",
#=>       at: :colour \
#=>       if self.raw(:colour) == []
#=>         && !self.raw(:colour).is_a?(Variant[Boolean, Array[Pattern[/(?m:^[a-z]+$)/]]])
#=>   }
#=>   newparam owner {
#=>     desc "The owner. (a String)"
#=>     validate { |value|
#=>       fail "shelf.owner expects a value of type String" unless value.is_a?(String)
#=>     }
#=>   }
#=>   newparam weight {
#=>     desc "Its weight. (a Integer)"
#=>     readonly "Attempting to set `weight` read_only attribute"
#=>   }
#=>   newproperty place {
#=>     desc "An unknown type alias. (a Room::Place)"
#=>     untranslated validate, "the type alias `Room::Place` is not in the module path"
#=>   }
#=>   title { self.name }
#=>   autorequire file { ["/etc/shelves", self[:owner]].flatten.compact }
#=>   autorequire service, ["carpenter"]
#=>   validate {
#=>     fail "The following mandatory parameters were not provided:\n    *  owner" if self[:owner].nil?
#=>   }
#=>   untranslated canonicalize, "the provider with `canonicalize` is not in the module path"
#=> }
# --
Puppet::ResourceApi.register_type(
  name: 'shelf',
  title_patterns: [{ pattern: %r{^(?<room>.*)/(?<number>\d+)$}, desc: 'both' }],
  attributes: {
    room: { type: 'String', desc: 'The room.', behaviour: :namevar },
    number: { type: 'String', desc: 'The number.', behaviour: :namevar },
  },
  features: ['custom_insync'],
)
#=> type shelf {
#=>   newproperty rsapi_custom_insync_trigger {
#=>     desc "Makes Puppet compare a resource without properties; not to be set. (a Enum[do_not_specify_in_manifest])"
#=>     validate { |_|
#=>       fail "shelf.rsapi_custom_insync_trigger expects a value of type Enum[do_not_specify_in_manifest]" \
#=>         unless self.raw(:rsapi_custom_insync_trigger).is_a?(Enum["do_not_specify_in_manifest"])
#=>     }
#=>     defaultto { "do_not_specify_in_manifest" }
#=>     untranslated insync, "the method `insync?` of the provider is not supported"
#=>   }
#=>   validate {
#=>     fail "shelf.rsapi_custom_insync_trigger expects a value of type Enum[do_not_specify_in_manifest]",
#=>       at: :rsapi_custom_insync_trigger \
#=>       if self.raw(:rsapi_custom_insync_trigger) == []
#=>   }
#=>   newparam room {
#=>     isnamevar
#=>     desc "The room. (a String)"
#=>     validate { |value| fail "shelf.room expects a value of type String" unless value.is_a?(String) }
#=>   }
#=>   newparam number {
#=>     isnamevar
#=>     desc "The number. (a String)"
#=>     validate { |value|
#=>       fail "shelf.number expects a value of type String" unless value.is_a?(String)
#=>     }
#=>   }
#=>   title_patterns { /(?m:^(?<room>.*)\/(?<number>\d+)$)/ => room, number }
#=> }
# --
Puppet::ResourceApi.register_type(name: 'shelf', attributes: { name: { type: 'String', desc: 'Its name.' } })
#=> this type cannot be imported: no attribute is a namevar, so that no resource can be created
# --
Puppet::ResourceApi.register_type(name: 'shelf', attributes: { name: { type: 'String', behaviour: :key, desc: 'Its name.' } })
#=> this type cannot be imported: `key` is not a behaviour
# --
Puppet::ResourceApi.register_type(
  name: 'shelf',
  attributes: { name: { type: 'String', behaviour: :namevar, desc: '' }, ensure: { type: 'Enum[on, off]', desc: '' } },
)
#=> this type cannot be imported: the type of `ensure` must be `Enum[present, absent]` or `Optional[Enum[present, absent]]`
