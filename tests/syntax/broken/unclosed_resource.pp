user { 'bob':
  uid => 1,

user { 'eve':
  uid => 2,
}
