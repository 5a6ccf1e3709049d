class { 'rabbitmq':
  delete_guest_user => true,
}
rabbitmq_vhost { 'app':
  ensure => present,
}
rabbitmq_user { 'app':
  password => Sensitive('hunter2'),
}
rabbitmq_user_permissions { 'app@app':
  configure_permission => '.*',
}
