# Defaults hold for all resources of the type in this file.
Greeting { language => german }

greeting {
  'ann': volume => 3;
  'bob':
    words => ['Guten', 'Tag'],
}

greeting { 'cy':
  language => english,
  require  => Greeting['ann', 'bob'],
}

Greeting['ann'] -> Greeting['bob']
