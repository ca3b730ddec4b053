export const transitionRoute = '/wake/:id';

/** The page of a transition that is over. */
export function transitionAddress(id: string): string {
  return `/wake/${encodeURIComponent(id)}`;
}
