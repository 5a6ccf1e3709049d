# A database, a user with a password hash, and a user to be removed.
#
# exits: 2 0
# ruby: yes
# set: small
# setup:
#   systemctl start mariadb
#   mysql -e "CREATE USER 'old'@'localhost'"
# between:
#   mysql -N -e "SELECT user, host, authentication_string FROM mysql.user ORDER BY 1, 2; SHOW DATABASES; SHOW GRANTS FOR 'shop'@'localhost'" > /srv/state
# ignore:
#   /var/lib/mysql/**  the files of the database
#   /var/log/**        its log
mysql_database { 'shop': ensure => present, charset => 'utf8mb4', collate => 'utf8mb4_general_ci' }
mysql_user { 'shop@localhost': ensure => present, password_hash => '*6BB4837EB74329105EE4568DDA7DC67ED2CA2AD9' }
mysql_user { 'old@localhost': ensure => absent }
mysql_grant { 'shop@localhost/shop.*': ensure => present, user => 'shop@localhost', table => 'shop.*', privileges => ['SELECT', 'INSERT'] }
