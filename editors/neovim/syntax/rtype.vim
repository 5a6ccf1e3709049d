" Enough to read by; the language server colours the rest (Neovim 0.9 and later).
if exists('b:current_syntax')
  finish
endif
syntax match rtypeComment /#.*$/ contains=@Spell
syntax region rtypeString start=/"/ skip=/\\./ end=/"/ contains=rtypeInterpolation,@Spell
syntax region rtypeString start=/"""/ end=/"""/ contains=rtypeInterpolation,@Spell
syntax region rtypeString start=/'/ skip=/\\./ end=/'/
syntax region rtypeInterpolation matchgroup=Delimiter start=/#{/ end=/}/ contained contains=TOP
syntax region rtypeRegex start=+/+ skip=+\\.+ end=+/[isx]*+ oneline
syntax match rtypeSymbol /\%(\w\|:\)\@<!:[a-z_]\w*?\=/
syntax match rtypeNumber /\<\d[0-9a-fA-Fx_.]*\>/
syntax match rtypeOption /\<[a-z_]\w*:\%(\s\|$\)\@=/
syntax match rtypeType /\<[A-Z]\w*\>/
syntax keyword rtypeItem type provider kind mixin fn const typealias feature test use newparam newproperty ensurable
syntax keyword rtypeDirective desc isnamevar required readonly init_only sensitive deprecated newvalue newvalues aliasvalue defaultto
syntax keyword rtypeDirective nodefault validate munge from_title unmunge should insync compare is_to_s should_to_s change_to_s retrieve sync
syntax keyword rtypeDirective redact matches commands optional_commands confine defaultfor notdefaultfor has_feature has_features
syntax keyword rtypeDirective queries actions native program autorequire autobefore autonotify autosubscribe title title_patterns
syntax keyword rtypeDirective finalize late_finalize canonicalize generate eval_generate refresh include expect rejects facts answers also
syntax keyword rtypeStatement if elsif else unless match try fail return next let super override
syntax keyword rtypeConstant true false nil self
highlight default link rtypeComment Comment
highlight default link rtypeString String
highlight default link rtypeRegex SpecialChar
highlight default link rtypeSymbol Constant
highlight default link rtypeNumber Number
highlight default link rtypeOption Identifier
highlight default link rtypeType Type
highlight default link rtypeItem Structure
highlight default link rtypeDirective Keyword
highlight default link rtypeStatement Statement
highlight default link rtypeConstant Special
let b:current_syntax = 'rtype'
