# Only what is called so, on the first level.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/t/a; for f in one.tmp two.tmp three.txt a/four.tmp; do echo x > /srv/t/$f; done
tidy { '/srv/t': matches => ['*.tmp'], recurse => 1 }
