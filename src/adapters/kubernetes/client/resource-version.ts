/** Versions of one resource type are decimal numbers that grow; a client may compare them. */
export function isAtLeast(version: string, other: string): boolean {
  return version.length === other.length ? version >= other : version.length > other.length;
}

export function newer(version: string, other: string | undefined): string {
  return other === undefined || isAtLeast(version, other) ? version : other;
}
