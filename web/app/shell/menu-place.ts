/** A menu is drawn at the end of the document: as a region with a name it is found there, and the list has one too. */
export function menuPlace(name: string) {
  return { paper: { role: 'region', 'aria-label': name }, list: { 'aria-label': name } };
}
