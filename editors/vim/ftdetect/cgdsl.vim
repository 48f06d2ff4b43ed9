" Files of rules in the folders of udev and the like are none of ours.
autocmd BufRead,BufNewFile *.rules if expand('<afile>:p') !~# '/\(udev\|audit\|polkit\)' | setlocal filetype=cgdsl | endif
