autocmd BufRead,BufNewFile *.rtype setfiletype rtype
