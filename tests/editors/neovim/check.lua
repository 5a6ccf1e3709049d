-- Runs inside Neovim; ends it with status 1 at the first thing that is not as it should be.
local checks = 0

local function say(text)
  io.stderr:write(text .. '\n')
end

local function check(what, holds, seen)
  checks = checks + 1
  if not holds then
    say('wrong: ' .. what .. (seen ~= nil and ': ' .. vim.inspect(seen) or ''))
    vim.cmd('cquit 1')
  end
end

local function wait(what, holds)
  check(what, vim.wait(20000, holds, 20))
end

local function run()
  require('rtype').setup({ cmd = { vim.env.RTYPE, 'lsp' } })
  vim.cmd('filetype plugin on | syntax on | set filetype=rtype')
  check('the file type is known', vim.bo.filetype == 'rtype', vim.bo.filetype)
  local text = function()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  end
  local found = function()
    return vim.diagnostic.get(0)
  end
  wait('something is found', function()
    return #found() > 0
  end)
  local wrong = found()[1]
  check('the code', wrong.code == 'RT101' or (wrong.user_data and wrong.user_data.lsp.code == 'RT101'), wrong)
  -- Neovim counts bytes: the light before it has four.
  local line = vim.api.nvim_buf_get_lines(0, wrong.lnum, wrong.lnum + 1, false)[1]
  check('the place behind a light', line:sub(wrong.col + 1, wrong.end_col) == 'defautlto', line:sub(wrong.col + 1, wrong.end_col))

  local ask = function(method, more)
    local params = vim.lsp.util.make_position_params(0, 'utf-16')
    for key, value in pairs(more or {}) do
      params[key] = value
    end
    local answers = vim.lsp.buf_request_sync(0, method, params, 10000)
    check(method .. ' is answered', answers ~= nil and next(answers) ~= nil, answers)
    local _, answer = next(answers)
    check(method .. ' has no error', answer.error == nil and answer.err == nil, answer)
    return answer.result
  end
  local go = function(pattern)
    vim.api.nvim_win_set_cursor(0, { 1, 0 })
    check('`' .. pattern .. '` is there', vim.fn.search(pattern, 'c') > 0)
  end

  -- What may come here.
  vim.api.nvim_buf_set_lines(0, 6, 7, false, { '    desc "How wide 💡"', '    defau' })
  local behind = { line = 7, character = 9 }
  local items = ask('textDocument/completion', { position = behind, context = { triggerKind = 1 } }).items
  check('a directive is offered', items[1].label == 'defaultto', items)
  vim.api.nvim_buf_set_lines(0, 7, 8, false, { '    defaultto red' })
  wait('nothing is wrong any more', function()
    return #vim.tbl_filter(function(d)
      return d.severity == vim.diagnostic.severity.ERROR
    end, found()) == 0
  end)

  -- What is this, and where does it stand?
  go('color')
  local hover = ask('textDocument/hover')
  check('a kind is explained', hover.contents.value:find('A color of the rainbow', 1, true), hover)
  local place = ask('textDocument/definition')
  check('the kind is found', place.uri:find('kinds/light.rtype', 1, true), place)

  -- Call it otherwise.
  go('newproperty beam')
  vim.fn.search('beam')
  vim.lsp.buf.rename('width')
  wait('the attribute is renamed', function()
    return text():find('newproperty width', 1, true) and text():find('at: :width if self.width', 1, true)
  end)

  -- Put it in order.
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = 10000 })
  else
    vim.lsp.buf.formatting_sync({}, 10000)
  end
  check('the text is in order', text():find('\n  desc "A 💡 torch."', 1, true), text())

  -- Into the standard library.
  vim.api.nvim_buf_set_lines(0, -2, -1, false, { '  newproperty lit, kind: boolean', '}' })
  go('kind: boolean')
  vim.fn.search('boolean')
  local prelude = ask('textDocument/definition')
  check('a kind of the standard library can be opened', vim.fn.filereadable(vim.uri_to_fname(prelude.uri)) == 1, prelude)
  say(checks .. ' checks in ' .. vim.fn.matchstr(vim.fn.execute('version'), 'NVIM v[0-9.]*'))
end

local fine, why = xpcall(run, debug.traceback)
if not fine then
  say(why)
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
