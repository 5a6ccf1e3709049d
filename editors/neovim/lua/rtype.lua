-- Starts rtype's language server for files of types and of resources.
--
--   require('rtype').setup({ cmd = { 'rtype', 'lsp' }, types = { 'site/types' } })
local M = {}

local defaults = {
  cmd = { 'rtype', 'lsp' },
  -- Directories of types beside those of the opened files, seen from the root.
  types = {},
  filetypes = { 'rtype', 'puppet' },
  -- What else vim.lsp.start takes: on_attach, capabilities and so on.
  client = {},
}

-- The repository of a file: where `rtype.toml` or `.git` stands, else its folder.
local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ':p:h')
  for _, mark in ipairs({ 'rtype.toml', '.git' }) do
    local found = vim.fn.findfile(mark, folder .. ';')
    if found == '' then
      found = vim.fn.finddir(mark, folder .. ';')
    end
    if found ~= '' then
      return vim.fn.fnamemodify(found, ':p:h' .. (mark == '.git' and vim.fn.isdirectory(found) == 1 and ':h' or ''))
    end
  end
  return folder
end

local clients = {}

function M.attach(buffer, options)
  local root = root_of(vim.api.nvim_buf_get_name(buffer))
  local config = vim.tbl_deep_extend('force', {
    name = 'rtype',
    cmd = options.cmd,
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
    init_options = { types = options.types },
  }, options.client)
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = buffer })
  end
  -- Neovim before 0.8: one client a root, started by hand.
  if not clients[root] or vim.lsp.get_client_by_id(clients[root]) == nil then
    clients[root] = vim.lsp.start_client(config)
  end
  if clients[root] then
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
  return clients[root]
end

function M.setup(options)
  options = vim.tbl_deep_extend('force', defaults, options or {})
  local group = vim.api.nvim_create_augroup('rtype', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = options.filetypes,
    callback = function(event)
      M.attach(event.buf, options)
    end,
  })
end

return M
