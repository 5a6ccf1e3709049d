# A class is declared with parameters before it is included.
class a($x = 1) { }
include a
class { 'a':
  x => 2,
}
class { 'b':
}
include b
