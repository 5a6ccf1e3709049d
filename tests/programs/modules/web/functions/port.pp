# A port with an offset.
function web::port(Integer $base, Integer $offset = 0) >> Integer {
  $base + $offset
}
