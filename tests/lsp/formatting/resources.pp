lamp { 'a': level=>3,
   ensure => present }
# 💡 above
lamp { 'b': ▮
  level=>4 ▮}
