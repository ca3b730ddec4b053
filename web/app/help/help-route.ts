/** Where the pages of the help are in the app; what follows is their place below `help` of its files. */
export const helpRoute = '/help/';
