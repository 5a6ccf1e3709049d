lamp { 'a': color => purple, levle => 3 }
lamp { 'a': }
lmap { 'b': }
