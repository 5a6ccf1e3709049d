// Colors for type files and resources. rtype itself finds the mistakes.
import { StreamLanguage } from "@codemirror/language";

const DIRECTIVES = new Set((
  "type provider mixin kind fn const typealias feature test use newparam newproperty ensurable desc isnamevar required sensitive newvalues newvalue " +
  "aliasvalue defaultto munge unmunge validate insync compare title_patterns autorequire autobefore autonotify autosubscribe override include expect " +
  "rejects also facts features settings binaries is answers let if unless elsif else match try fail return next self true false nil super"
).split(" "));

function string(stream, quote) {
  while (!stream.eol()) {
    const c = stream.next();
    if (c === "\\") stream.next();
    else if (c === quote) return true;
  }
  return false;
}

function tokenizer(language) {
  return {
    name: language,
    startState: () => ({ text: null }),
    token(stream, state) {
      if (state.text) {
        if (state.text === '"""') {
          if (stream.skipTo('"""')) { stream.match('"""'); state.text = null; } else stream.skipToEnd();
        } else if (string(stream, state.text)) state.text = null;
        return "string";
      }
      if (stream.eatSpace()) return null;
      if (stream.peek() === "#") { stream.skipToEnd(); return "comment"; }
      if (language === "rtype" && stream.match('"""')) { state.text = '"""'; return "string"; }
      const c = stream.next();
      if (c === '"' || c === "'") { if (!string(stream, c)) state.text = c; return "string"; }
      if (c === "/" && stream.match(/^(?:[^/\\\n]|\\.)*\/[a-z]*/)) return "regexp";
      if (/\d/.test(c)) { stream.eatWhile(/[\w.]/); return "number"; }
      if (c === ":" && language === "rtype" && stream.match(/^[A-Za-z_]\w*[?]?/)) return "atom";
      if (/[A-Za-z_]/.test(c)) {
        stream.eatWhile(/[\w:]/);
        let word = stream.current();
        if (word.endsWith(":")) { const end = word.length - word.replace(/:+$/, "").length; stream.backUp(end); word = stream.current(); }
        if (/^[A-Z]/.test(word)) return "typeName";
        if (language === "rtype") return DIRECTIVES.has(word) ? "keyword" : null;
        if (stream.match(/^\s*=>/, false)) return "propertyName";
        return stream.match(/^\s*\{/, false) ? "keyword" : "atom";
      }
      return null;
    },
    languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", "'", '"'] } },
  };
}

export const types = () => StreamLanguage.define(tokenizer("rtype"));
export const resources = () => StreamLanguage.define(tokenizer("puppet"));
