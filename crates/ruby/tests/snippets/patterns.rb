case [1, [2, 3]]; in [Integer => a, [b, *c]] then p a, b, c end
# --
case {a: 1, b: {c: 2}}; in {a: Integer => x, b: {c:}} then p x, c end
# --
case {a: 1, b: 2}; in {a: 1, **rest} then p rest end
# --
case {a: 1}; in {a: 1, **nil} then p :exact end
# --
case 5; in 1..3 then p 1; in 4.. then p 2 end
# --
case "x"; in "a" | "x" => s then p s end
# --
case [1, 2, 3, 4, 5]; in [first, *, last] then p first, last end
# --
case [1, "a", :b, 2]; in [*, String => s, Symbol => y, *post] then p s, y, post end
# --
x = 5; case 5; in ^x then p :pinned end
# --
case 7; in Integer | Float => n if n > 5 then p n end
# --
case 7; in n unless n > 5 then p 1; in _ then p 2 end
# --
begin; case 1; in 2 then 3 end; rescue NoMatchingPatternError => e; p e.message; end
# --
h = {name: "n", age: 3}; h => {name:}; p name
# --
x = (1 in Integer); y = (1 in String); p x, y
# --
class Pt; attr_reader :x, :y; def initialize(x, y) @x, @y = x, y end; def deconstruct; [x, y] end; def deconstruct_keys(k) {x: x, y: y} end; end; case Pt.new(1, 2); in {x:, y:} then p x, y end; case Pt.new(1, 2); in Pt(a, b) then p a, b end; case Pt.new(1, 2); in Pt(x: 1) then p 1 end
# --
case {}; in {} then p :empty end
# --
case {a: 1}; in {} then p 1; in {a:} then p a end
# --
case []; in [] then p :e end
# --
case {status: "ok", items: [{id: 1}, {id: 2}]}; in {status: "ok", items: [{id: first}, *]} then p first end
# --
case nil; in nil then p :nil end
# --
case [1, [2]]; in [_, [_]] then p :ok end
# --
r = case 3; in 0 then :z; in Integer then :i else :o end; p r
