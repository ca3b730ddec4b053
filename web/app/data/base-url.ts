/** Where the app is served: empty at the root, `/prefix` under one. The fragment and a file name are no part of it. */
export function baseUrlOf(pathname: string): string {
  return pathname.replace(/\/[^/]*\.html$/, '').replace(/\/+$/, '');
}
