/** The element of the page itself, beside menu and bar. */
export const mainId = 'main';
