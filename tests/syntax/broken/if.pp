if $facts['kernel'] == 'Linux' {
  user { 'bob': }
} elsif true {
} else {
}
user { 'eve': }
