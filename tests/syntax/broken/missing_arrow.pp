user { 'bob':
  ensure present,
  uid = 1,
  gid: 5,
}
