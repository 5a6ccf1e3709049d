# A control repository: `rtype compile --all-nodes facts -o catalogs` compiles all its nodes.
node /^web\d+/ {
  include role::web
}

node default {
  include profile::base
}
