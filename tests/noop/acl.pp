# Access lists need their file, and the users that they name.
#file there
#fails Posix_acl[@/none]
#fails Posix_acl[@/there]
posix_acl { '@/none': permission => ['user:root:rwx'] }
posix_acl { '@/there': permission => ['user:h0rse:r--'] }
