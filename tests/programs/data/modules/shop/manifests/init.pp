# A shop.
class shop (
  Integer[1, 65535] $port,
  String[1] $root,
  Shop::Level $level = 'quiet',
  String[1] $name_of_shop = 'shop',
  Optional[Integer] $workers = undef,
  Hash[String, Integer] $limits = {},
  Array[String[1]] $aliases = [],
  Array[String[1]] $owners = [],
  Array[String[1]] $backends = [],
  Boolean $debug = false,
  String $password = '',
  Sensitive[String] $api_token = Sensitive(''),
) {
  file { $root:
    ensure => directory,
  }
}
