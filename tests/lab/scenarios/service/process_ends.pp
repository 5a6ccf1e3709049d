# A program without a unit is ended, and nothing happens to one that does not run.
#
# exits: 2 0
# setup:
#   cp /bin/sleep /srv/worker
#   setsid /srv/worker 7007 </dev/null >/dev/null 2>&1 &
service { 'lab':
  ensure   => stopped,
  provider => base,
  pattern  => '/srv/worker 7007',
}
service { 'other':
  ensure   => stopped,
  provider => base,
  pattern  => '/srv/nothing-like-it',
}
