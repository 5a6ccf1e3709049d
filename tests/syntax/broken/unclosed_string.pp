user { 'bob:
  uid => 1,
}
user { 'eve': }
