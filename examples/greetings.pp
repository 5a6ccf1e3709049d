# rtype --types examples/types inspect examples/greetings.pp
greeting {
  default:
    volume => 3;
  'bob':
    language => german;
  'alice':
    words  => ['hello', 'there'],
    volume => '7';
}
