# A site, and the pages of sites in the same file.
define web::site($root = $web::params::root) {
  $index = "${root}/index.html"
  web::page { $index: }
}
