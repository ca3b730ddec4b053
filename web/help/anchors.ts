/** The anchors of a page's headings as GitHub makes them: lower case, no punctuation, hyphens; the second of a name gets a number. */
export class Anchors {
  readonly #taken = new Set<string>();

  /** The one of the next heading, given as Markdown. */
  next(heading: string): string {
    const slug = heading
      .replace(/^#+ /, '')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    let name = slug;
    for (let number = 1; this.#taken.has(name); number++) name = `${slug}-${number}`;
    this.#taken.add(name);
    return name;
  }
}
