file { '/a':
  ensure  => file,
  content => "first
# rtype: allow-file(RM031, reason = \"a text, not a comment\")
",
  mode    => '0666',
}
