// The grammar as Visual Studio Code runs it.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const textmate = require('vscode-textmate');
const oniguruma = require('vscode-oniguruma');
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');

await oniguruma.loadWASM(fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer);
const files = { 'source.rtype': 'syntaxes/rtype.tmLanguage.json', 'rtype.regexp.injection': 'syntaxes/regexp.injection.tmLanguage.json' };

export const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => (files[scope] ? textmate.parseRawGrammar(read(files[scope]), files[scope]) : null),
  getInjections: (scope) => (scope === 'source.rtype' ? ['rtype.regexp.injection'] : []),
});

/** The pieces of each line with their scopes. */
export async function tokenize(lines) {
  const grammar = await registry.loadGrammar('source.rtype');
  let state = textmate.INITIAL;
  return lines.map((line) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    return result.tokens.map((t) => ({ start: t.startIndex, end: t.endIndex, scopes: t.scopes }));
  });
}
