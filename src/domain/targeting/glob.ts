/**
 * `*` stands for any text, `?` for one character, everything else for itself; the whole text must match. The only state
 * is the last star, so the time is bounded by the two lengths multiplied, whatever the pattern.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p;
      p += 1;
      resume = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p += 1;
      t += 1;
    } else if (star !== -1) {
      resume += 1;
      p = star + 1;
      t = resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
