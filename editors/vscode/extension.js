// Starts `cgdsl lsp`, tells it whether the folder is trusted, and shows what no protocol shows: pictures, texts of shipped files,
// a terminal in which a position is played.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** The settings as the server takes them. */
function settings() {
  const of = vscode.workspace.getConfiguration("cgdsl");
  const all = { trusted: vscode.workspace.isTrusted, commands: ["cgdsl.play", "cgdsl.showPicture"], shippedFiles: true };
  for (const name of ["evaluate", "memory", "time", "slow", "unicode", "pictures"]) all[name] = of.get(name);
  return all;
}

function program() {
  return vscode.workspace.getConfiguration("cgdsl").get("command") || "cgdsl";
}

async function activate(context) {
  const server = { command: program(), args: ["lsp"] };
  client = new LanguageClient("cgdsl", "cgdsl", { run: server, debug: server }, {
    documentSelector: [{ language: "cgdsl" }],
    initializationOptions: settings(),
  });
  const configured = () => client.sendNotification("workspace/didChangeConfiguration", { settings: { cgdsl: settings() } });
  const state = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  const status = (said) => {
    state.text = said.state === "idle" ? "" : "$(sync~spin) cgdsl";
    said.state === "idle" ? state.hide() : state.show();
  };
  const ask = (command) => () => {
    const editor = vscode.window.activeTextEditor;
    if (editor) return vscode.commands.executeCommand(command, editor.document.uri.toString());
  };
  const picture = async (uri, line) => {
    const svg = await vscode.commands.executeCommand("cgdsl.picture", uri, line);
    if (!svg) return vscode.window.showInformationMessage("Evaluate the query first.");
    const panel = vscode.window.createWebviewPanel("cgdsl", "Position", vscode.ViewColumn.Beside, {});
    // No script and nothing from elsewhere.
    panel.webview.html = `<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><body style="background:white">${svg}</body>`;
  };
  const play = (file, position) => {
    const terminal = vscode.window.createTerminal({ name: "cgdsl", shellPath: program(), shellArgs: ["play", file, position] });
    terminal.show();
  };
  const shipped = { provideTextDocumentContent: (uri) => client.sendRequest("cgdsl/shippedText", { uri: uri.toString() }) };
  context.subscriptions.push(
    state,
    vscode.commands.registerCommand("cgdsl.showPicture", picture),
    vscode.commands.registerCommand("cgdsl.play", play),
    vscode.commands.registerCommand("cgdsl.evaluateFile", ask("cgdsl.evaluate")),
    vscode.commands.registerCommand("cgdsl.stopEvaluation", ask("cgdsl.stop")),
    vscode.workspace.registerTextDocumentContentProvider("cgdsl", shipped),
    vscode.workspace.onDidGrantWorkspaceTrust(configured),
    vscode.workspace.onDidChangeConfiguration((e) => e.affectsConfiguration("cgdsl") && configured()),
  );
  client.onNotification("cgdsl/status", status);
  await client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
