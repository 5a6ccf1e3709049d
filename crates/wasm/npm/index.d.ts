/** The texts that belong together. */
export interface Texts {
  /** Type definitions: the content of a `.rtype` file. */
  types?: string;
  /** Resources in Puppet's syntax. */
  resources?: string;
  /** The current state of resources, in the same syntax. Resources that are not mentioned do not exist. */
  state?: string;
}

export type Pane = "types" | "resources" | "state";

export type Severity = "error" | "warning" | "note";

/** A range of a text. Offsets are UTF-16 code units: indices of JavaScript strings. */
export interface Range {
  from: number;
  to: number;
}

/** A range of one of the texts, or of a type of the standard library. */
export interface SourceRange extends Range {
  file: string;
  pane: Pane | "library";
}

export interface Label extends SourceRange {
  /** From 1. */
  line: number;
  /** From 1, in code points. */
  column: number;
  /** May be empty. */
  text: string;
}

export interface Edit extends SourceRange {
  /** The new text of the range. */
  text: string;
}

export interface Fix {
  title: string;
  /** Whether the fix keeps the meaning of the text, or gives it the only possible one. */
  safe: boolean;
  edits: Edit[];
}

export interface Diagnostic {
  /** The stable code, such as `RT203`. */
  code: string;
  /** The name of the rule, such as `regex-unanchored`. */
  name: string;
  severity: Severity;
  message: string;
  help: string | null;
  /** The first one is the primary range. */
  labels: Label[];
  fix: Fix | null;
  /** The text that `rtype check` prints, with ANSI colors. */
  rendered: string;
}

export interface Property {
  name: string;
  is: string;
  should: string;
  /** `null` if it is not known. */
  inSync: boolean | null;
  status: "in-sync" | "out-of-sync" | "with-ensure" | "unreadable" | "unknown" | "failed";
  /** What a run would report, or why the state is not known. */
  note: string;
}

export interface Resource {
  /** `Type[title]`. */
  reference: string;
  provider: string | null;
  generatedBy: string | null;
  inSync: boolean | null;
  failure: string | null;
  properties: Property[];
  /** Attributes without effect, with the features that the provider lacks. */
  ignored: { name: string; missing: string[] }[];
  /** How each value came about. */
  trace: string;
  /** The properties that a run would change, in order. */
  plan: string[];
}

export interface Declared {
  resources: Resource[];
  diagnostics: Diagnostic[];
}

export interface Candidate {
  label: string;
  type: string;
  detail: string;
  /** Markdown. */
  info: string;
  /** What is inserted instead of the label. */
  apply?: string;
}

export interface Completions {
  /** Where the text begins that the candidates replace. */
  from: number;
  options: Candidate[];
}

export interface Hover extends Range {
  markdown: string;
}

/** An error of rtype itself. Mistakes in texts are diagnostics. */
export declare class RtypeError extends Error {}

export declare class Rtype {
  constructor(module: WebAssembly.Module);
  /** Checks types and resources as `rtype check` does. */
  check(texts: Texts, options?: { profile?: "min" | "default" | "strict" }): Diagnostic[];
  /** Declares resources on a simulated Debian 12 and compares them with `texts.state`. */
  declare(texts: Texts): Declared;
  /** Formats a text. A text with errors is not formatted. */
  format(text: string, options?: { language?: Pane; width?: number }): { text: string } | { diagnostics: Diagnostic[] };
  complete(texts: Texts, pane: Pane, offset: number): Completions;
  hover(texts: Texts, pane: Pane, offset: number): Hover | null;
  version(): string;
}

/** Compiles the module; by default the file `rtype.wasm` next to this one. */
export declare function load(source?: BufferSource | WebAssembly.Module | Response | URL | string | Promise<Response>): Promise<Rtype>;
