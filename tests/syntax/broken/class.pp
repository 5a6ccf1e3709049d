class foo($a = {}) {
  user { 'bob': }
}
user { 'eve': }
