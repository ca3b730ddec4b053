export type PathSegment = string | number;

/** Something wrong at a place, as the rules find it. */
export interface Problem {
  readonly at: readonly PathSegment[];
  readonly message: string;
}

/** Something wrong, as people and logs see it. The path begins below `config`. */
export interface ConfigError {
  readonly path: string;
  readonly message: string;
  /** Where it is in the text, counted from 1; absent when the configuration did not come from text. */
  readonly position?: { readonly line: number; readonly column: number };
}

/** Why a configuration is not in force: in words, and by the places where something is wrong. */
export interface ConfigRefusal {
  readonly message: string;
  readonly errors: readonly ConfigError[];
}

/** `workingHours.schedule.monday`, `targeting.namespaces.exclude[1]`, `resourceRules.neverScale[0].labels["a/b"]`. */
export function pathText(segments: readonly PathSegment[]): string {
  let text = '';
  for (const segment of segments) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (/^[\w-]{1,64}$/.test(segment)) text += text === '' ? segment : `.${segment}`;
    else text += `[${JSON.stringify(segment.slice(0, 64))}]`;
  }
  return text;
}

/** What follows `invalid configuration: `; one line an error when there are several. */
export function formatConfigErrors(errors: readonly ConfigError[]): string {
  if (errors.length === 1) return errorLine(errors[0]!);
  return [`${errors.length} errors`, ...errors.map((error) => `  ${errorLine(error)}`)].join('\n');
}

function errorLine({ path, message, position }: ConfigError): string {
  const place = position === undefined ? '' : `line ${position.line}, column ${position.column}`;
  const where = path !== '' && place !== '' ? `${path} (${place})` : path || place;
  return where === '' ? message : `${where}: ${message}`;
}
