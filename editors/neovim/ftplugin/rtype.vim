" Two blanks a level, as the formatter writes.
setlocal shiftwidth=2 softtabstop=2 expandtab
setlocal commentstring=#\ %s comments=:# formatoptions-=t
setlocal iskeyword+=?
let b:undo_ftplugin = 'setlocal shiftwidth< softtabstop< expandtab< commentstring< comments< formatoptions< iskeyword<'
