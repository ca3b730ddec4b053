/** Elements may be empty, and then mean nothing (RFC 9110, 5.6.1). */
const listed = /^[\s,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"\s*(?:,[\s,]*|$))+$/;

/**
 * Whether `If-None-Match` names this tag: then the client has it. Compared weakly (RFC 9110, 13.1.2), so a cache in between that made a
 * tag weak, because it compressed the answer, changes nothing. What is no list of tags names none.
 */
export function isNamedBy(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  if (!listed.test(ifNoneMatch)) return false;
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag.replace(/^W\//, ''));
}
