import type { Violation } from './violation.ts';

export interface KnownViolation {
  readonly file: string;
  /** A part of the message that the rule gives. */
  readonly says: string;
  /** Why it stands for now; a line that is no longer needed fails the check, so that the list only gets shorter. */
  readonly why: string;
}

/** What the rules find and what stays for the moment. New code is not added here. */
export const knownViolations: readonly KnownViolation[] = [
  {
    file: 'src/controller/beside/companion.ts',
    says: 'in a circle of',
    why: 'the ports of the controller and the context of a pass know each other until a pass reads the cluster once',
  },
];

/** What is left when the known ones are taken away, and each known one that is not found any more. */
export function withoutKnown(found: readonly Violation[], known: readonly KnownViolation[]): Violation[] {
  const matches = (violation: Violation, { file, says }: KnownViolation) =>
    violation.file === file && violation.message.includes(says);
  const stale = known.filter((one) => !found.some((violation) => matches(violation, one)));
  return [
    ...found.filter((violation) => !known.some((one) => matches(violation, one))),
    ...stale.map(({ file, says }) => ({
      file: 'tools/check/known-violations.ts',
      line: 1,
      message: `lists ${file} ("${says}"), which is mended: remove the line`,
    })),
  ];
}
