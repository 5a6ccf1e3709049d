# Defaults by operating system.
class web::params {
  $root = '/srv/www'
}
