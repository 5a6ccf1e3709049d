# The stock of the shop.
class shop::stock (
  Integer $size,
  String $place,
) {
  notify { "${size} in ${place}": }
}
