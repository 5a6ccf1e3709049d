# Returns the directory of a site without one of its own.
function profile::docroot(String $site) >> String {
  "/var/www/${site}"
}
