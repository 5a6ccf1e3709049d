class Foo; end
