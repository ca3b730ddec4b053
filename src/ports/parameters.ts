/** A store of small texts outside the cluster. */
export interface Parameters {
  /** Undefined when there is none of this name. Rejects when it cannot be read. */
  read(name: string): Promise<string | undefined>;
  /** Writes the text under the name, with the tags; rejects when it is not taken. */
  write(name: string, text: string, tags: Readonly<Record<string, string>>): Promise<void>;
}
