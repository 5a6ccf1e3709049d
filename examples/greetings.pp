# rtype --types examples/types inspect examples/greetings.pp
greeting {
  default:
    volume => 3;
  'bob':
    language => german;
  'alice':
    language => 'en',
    words    => ['hello', 'there'],
    volume   => '7';
}
