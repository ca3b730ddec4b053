/** As a handback names it among what is missing. */
export function unreadableName(key: string): string {
  return `${key}, which cannot be decoded`;
}
