-- Neovim without a screen, with the files of this folder, against the program in $CGDSL: diagnostics, hover, completion,
-- rename, actions, layout. Run by `../test`.

local failed = false
local function check(what, ok, found)
  if not ok then
    failed = true
    io.stderr:write('neovim: ' .. what .. ': ' .. vim.inspect(found) .. '\n')
  end
end

local function main()
  local folder = os.getenv('FOLDER')
  vim.g.cgdsl = { command = { os.getenv('CGDSL'), 'lsp' }, trusted = true }
  local file = folder .. '/é.rules'
  local text = {
    'use "nim.rules"', '// 𝒢 é', 'let three = 3', 'assert nimber(Nmi[three]) = 3', 'eval nimber(Nim[three, 5])   ',
  }
  vim.fn.writefile(text, file)
  vim.cmd('edit ' .. vim.fn.fnameescape(file))
  check('the kind of file', vim.bo.filetype == 'cgdsl', vim.bo.filetype)
  local buffer = vim.api.nvim_get_current_buf()
  local function wait(what, holds)
    check(what, vim.wait(30000, holds, 20), vim.api.nvim_buf_get_lines(buffer, 0, -1, false))
  end
  local function ask(method, parameters)
    local answers = vim.lsp.buf_request_sync(buffer, method, parameters, 30000) or {}
    for _, answer in pairs(answers) do
      check(method, not answer.err, answer.err)
      return answer.result
    end
    check(method, false, 'no answer')
  end
  local function go(line, column)
    vim.api.nvim_win_set_cursor(0, { line, column })
    return vim.lsp.util.make_position_params()
  end

  local parse = vim.treesitter.query and vim.treesitter.query.parse or vim.treesitter.parse_query
  local query = parse('cgdsl', table.concat(vim.fn.readfile('tree-sitter/queries/highlights.scm'), '\n'))
  local root = vim.treesitter.get_parser(buffer, 'cgdsl'):parse()[1]:root()
  local kinds, words = {}, {}
  for node in root:iter_children() do
    table.insert(kinds, node:type())
  end
  for id, node in query:iter_captures(root, buffer, 0, 5) do
    if query.captures[id] == 'keyword' then table.insert(words, (node:start())) end
  end
  check('tree-sitter', not root:has_error() and vim.deep_equal(kinds, { 'use', 'comment', 'definition', 'query', 'query' }), root:sexpr())
  check('colours by tree-sitter', vim.deep_equal(words, { 0, 2, 3, 4 }), words)

  wait('diagnostics', function() return #vim.diagnostic.get(buffer) > 0 end)
  local d = vim.diagnostic.get(buffer)[1] or {}
  check('the place of a message', d.lnum == 3 and d.col == 14 and d.code == 'E0201', d)

  local hover = ask('textDocument/hover', go(5, 6)) or {}
  check('hover', hover.contents and hover.contents.value:find('Sprague', 1, true) ~= nil or hover.contents.value:find('nimber(G)', 1, true) ~= nil, hover)

  local found = ask('textDocument/completion', go(5, 16)) or { items = {} }
  local labels = vim.tbl_map(function(i) return i.label end, found.items)
  check('completion', vim.tbl_contains(labels, 'three') and vim.tbl_contains(labels, 'Nim'), labels)

  -- The first action is the nearest name.
  local place = vim.lsp.util.make_given_range_params({ 4, 14 }, { 4, 17 })
  place.context = { diagnostics = {}, only = { 'quickfix' } }
  local actions = ask('textDocument/codeAction', place) or {}
  check('actions', #actions > 0, actions)
  if #actions > 0 then
    vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  end
  wait('the mended line', function() return vim.fn.getline(4) == 'assert nimber(Nim[three]) = 3' end)
  wait('no diagnostics', function() return #vim.diagnostic.get(buffer) == 0 end)

  local parameters = go(3, 4)
  parameters.newName = 'drei'
  vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', parameters) or {}, 'utf-16')
  wait('rename', function() return vim.fn.getline(5) == 'eval nimber(Nim[drei, 5])   ' end)

  local edits = ask('textDocument/formatting', vim.lsp.util.make_formatting_params({})) or {}
  vim.lsp.util.apply_text_edits(edits, buffer, 'utf-16')
  check('layout', vim.fn.getline(5) == 'eval nimber(Nim[drei, 5])', vim.fn.getline(5))

  local target = ask('textDocument/definition', go(5, 17)) or {}
  check('definition', target.range and target.range.start.line == 2, target)
  check('colours', vim.fn.synIDattr(vim.fn.synID(5, 1, 1), 'name') == 'cgdslKeyword', vim.fn.synIDattr(vim.fn.synID(5, 1, 1), 'name'))

  for _, client in pairs(vim.lsp.get_active_clients()) do
    client.stop()
  end
  check('the end', vim.wait(10000, function() return #vim.lsp.get_active_clients() == 0 end, 20), 'it goes on')
end

local ok, why = pcall(main)
check('the script', ok, why)
vim.cmd(failed and 'cquit 1' or 'qall!')
