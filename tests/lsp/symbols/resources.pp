lamp { 'hall':
  color => green,
}
lamp { ['a', 'b']: }
