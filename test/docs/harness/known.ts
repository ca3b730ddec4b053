/** What the code has, to hold the words of a page against. */
export interface Known {
  /** Chart values and configuration keys, written as `config.a.b`, `config.list[].a`, `config.map.<name>.a`. */
  readonly keys: ReadonlySet<string>;
  readonly metrics: ReadonlySet<string>;
  readonly alerts: ReadonlySet<string>;
  /** `GET /api/v1/a/{b}`. */
  readonly endpoints: readonly string[];
  /** Each error code with its statuses. */
  readonly errors: ReadonlyMap<string, readonly number[]>;
  readonly scripts: ReadonlySet<string>;
  /** Whether the name of a file or folder, from the root, is there; `*` stands for any characters. */
  hasFile(path: string): boolean;
  /** The anchors of a page, or undefined when there is no such page. */
  anchorsOf(path: string): ReadonlySet<string> | undefined;
  /** Whether a word occurs in the sources, the chart or the tests. */
  inCode(word: string): boolean;
  /** What the command line says of a line of words, or undefined when it would take it. */
  refusalOf(line: readonly string[]): string | undefined;
  /** What is wrong with chart values, one line each. */
  valueProblems(yaml: string): readonly string[];
}
