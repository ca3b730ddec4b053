/** How a state key that cannot be decoded appears in a handback's list of what is not back yet. */
export function unreadableName(key: string): string {
  return `${key}, which cannot be decoded`;
}
