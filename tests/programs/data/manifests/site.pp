node default {
  include shop
  class { 'shop::stock':
    size => 3,
  }
  $region = lookup('shop::region')
  notice($region)
  notice(shop_size(3), shopp_size(3))
}
