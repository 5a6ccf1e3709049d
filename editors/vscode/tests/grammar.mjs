// Reads texts with the grammar as an editor does and compares with what the comments in them say:
//   newproperty width
//   #           ^^^^^ variable.other.property.rtype
// A line of carets below a piece names a scope that it must have; `!scope` one that it must not have.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { tokenize } from './tokenize.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const cases = fs.readdirSync(path.join(here, 'grammar')).filter((name) => name.endsWith('.rtype'));
let checked = 0;
const wrong = [];
for (const name of cases) {
  const text = fs.readFileSync(path.join(here, 'grammar', name), 'utf8');
  const lines = text.split('\n');
  const told = await tokenize(lines);
  let about = 0;
  lines.forEach((line, number) => {
    const expectation = /^\s*#\s*(\^+)\s+(!?)(\S+)\s*$/.exec(line);
    if (!expectation) {
      about = number;
      return;
    }
    const column = line.indexOf('^');
    const scopes = told[about].filter((t) => t.start < column + expectation[1].length && t.end > column).map((t) => t.scopes);
    const has = scopes.length > 0 && scopes.every((s) => s.some((x) => x === expectation[3] || x.startsWith(`${expectation[3]}.`)));
    checked += 1;
    if (has === (expectation[2] === '!')) {
      wrong.push(`${name}:${number + 1}: ${lines[about].slice(column, column + expectation[1].length)}: ${expectation[2]}${expectation[3]}\n  has ${JSON.stringify(scopes)}`);
    }
  });
}
// Whole files of the standard library: no comment, string or regex runs on to the end.
const types = path.join(here, '..', '..', '..', 'stdlib-types');
for (const name of fs.readdirSync(types).filter((n) => n.endsWith('.rtype'))) {
  const lines = fs.readFileSync(path.join(types, name), 'utf8').split('\n');
  const told = await tokenize([...lines, 'type probe {']);
  checked += 1;
  if (!told[lines.length].some((t) => t.scopes.includes('entity.name.type.rtype'))) {
    wrong.push(`${name}: what stands behind its end is not read as a type: ${JSON.stringify(told[lines.length])}`);
  }
}
if (wrong.length > 0 || checked < 40) {
  console.error(wrong.join('\n'), `\n${wrong.length} of ${checked} wrong`);
  process.exit(1);
}
console.log(`${checked} scopes and files as expected`);
