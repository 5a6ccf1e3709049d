# The version is not held any more.
#
# exits: 2 0
# setup:
#   apt-get install -qq lab-tool=1.0 >/dev/null
#   echo lab-tool hold | dpkg --set-selections
package { 'lab-tool': mark => none }
