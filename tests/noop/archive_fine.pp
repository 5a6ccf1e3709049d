# Directories on the way to the archive are made.
#file source.tar
archive { '@/new/directory/source.tar': source => '@/source.tar' }
