/** Where the app is served, as the frontend server says in the page: empty at the root, `/prefix` under one. */
export function baseUrlOf(basePath: string | null | undefined, pathname: string): string {
  const path = basePath ?? pathname.replace(/[^/]*\.html$/, '');
  return path.replace(/\/+$/, '');
}

export function pageBaseUrl(): string {
  const named = document.querySelector('meta[name="base-path"]')?.getAttribute('content');
  return baseUrlOf(named, location.pathname);
}
