// Starts the language server and talks to it. All knowledge is the server's.
const vscode = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

/** @type {LanguageClient | undefined} */
let client;

function start() {
  const settings = vscode.workspace.getConfiguration('rtype');
  const run = { command: settings.get('path', 'rtype'), args: ['lsp'], transport: TransportKind.stdio };
  const documentSelector = [{ language: 'rtype' }];
  if (settings.get('resources', true)) {
    documentSelector.push({ language: 'puppet' });
  }
  client = new LanguageClient('rtype', 'rtype', { run, debug: run }, {
    documentSelector,
    initializationOptions: { types: settings.get('types', []) },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/{*.rtype,rtype.toml}') },
  });
  return client.start().catch((error) => {
    vscode.window.showErrorMessage(
      `rtype could not be started: ${error.message}. Install it, or say where it is in the setting "rtype.path".`,
    );
  });
}

async function restart() {
  await client?.stop().catch(() => {});
  await start();
}

exports.activate = async (context) => {
  context.subscriptions.push(vscode.commands.registerCommand('rtype.restart', restart));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (['rtype.path', 'rtype.types', 'rtype.resources'].some((key) => change.affectsConfiguration(key))) {
        restart();
      }
    }),
  );
  await start();
};

exports.deactivate = () => client?.stop();
