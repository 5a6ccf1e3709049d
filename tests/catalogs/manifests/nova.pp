class { 'nova':
  default_transport_url => 'rabbit://nova:hunter2@mq.example.com:5672/',
}
class { 'nova::db':
  database_connection => 'mysql+pymysql://nova:hunter2@db.example.com/nova?charset=utf8',
}
include nova::compute
