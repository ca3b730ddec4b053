export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** A source file that a rule looks at. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
