node default {
  include shop
  $region = lookup('shop::region')
  notice($region)
}
