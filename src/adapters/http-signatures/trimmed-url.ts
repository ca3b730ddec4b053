/** `https://Host/prefix/` as both sides of a signature compose it: with the host in lower case and no slash at the end. */
export function trimmed(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
