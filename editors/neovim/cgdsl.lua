-- cgdsl for Neovim, 0.7 or later: copy it to `plugin/` of your configuration, and `../vim/` beside it.
--
-- vim.g.cgdsl = { command = { 'cgdsl', 'lsp' }, trusted = true, time = 20, memory = 1024 } says more; nothing is evaluated
-- unless `trusted` is true.

local function start(buffer)
  local options = vim.g.cgdsl or {}
  local file = vim.api.nvim_buf_get_name(buffer)
  local settings = {
    trusted = options.trusted or false,
    time = options.time or 20,
    memory = options.memory or 1024,
    commands = { 'cgdsl.play' },
  }
  -- One server for all files, as `vim.lsp.start` of later versions does it.
  for _, client in pairs(vim.lsp.get_active_clients and vim.lsp.get_active_clients() or vim.lsp.get_clients()) do
    if client.name == 'cgdsl' then
      vim.lsp.buf_attach_client(buffer, client.id)
      return
    end
  end
  local id = vim.lsp.start_client({
    name = 'cgdsl',
    cmd = options.command or { 'cgdsl', 'lsp' },
    root_dir = vim.fn.fnamemodify(file, ':h'),
    init_options = settings,
    get_language_id = function() return 'cgdsl' end,
    -- What is evaluated is not shown in a line of its own.
    handlers = { ['cgdsl/status'] = function() end },
  })
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
end

-- A lens plays a position in a terminal.
vim.lsp.commands['cgdsl.play'] = function(command)
  local file, position = unpack(command.arguments)
  vim.cmd('new')
  vim.fn.termopen({ 'cgdsl', 'play', file, position })
end

vim.api.nvim_create_autocmd('FileType', {
  pattern = 'cgdsl',
  callback = function(event)
    start(event.buf)
    local buffer = { buffer = event.buf }
    vim.keymap.set('n', 'K', vim.lsp.buf.hover, buffer)
    vim.keymap.set('n', 'gd', vim.lsp.buf.definition, buffer)
    vim.bo[event.buf].omnifunc = 'v:lua.vim.lsp.omnifunc'
  end,
})
