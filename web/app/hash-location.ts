import { useSyncExternalStore } from 'react';

// The location is the fragment alone, its query included (`#/resources?kind=CronJob`): the server never sees it, and
// one document serves every page under any path prefix.

export interface HashLocation {
  readonly path: string;
  readonly search: string;
}

export function parseHash(hash: string): HashLocation {
  const text = hash.replace(/^#/, '');
  const cut = text.indexOf('?');
  const path = cut < 0 ? text : text.slice(0, cut);
  return { path: `/${path.replace(/^\/+/, '')}`, search: cut < 0 ? '' : text.slice(cut + 1) };
}

interface NavigateOptions {
  readonly replace?: boolean;
}

export function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  const url = `#${to.startsWith('/') ? to : `/${to}`}`;
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

function subscribe(heard: () => void): () => void {
  addEventListener('hashchange', heard);
  addEventListener('popstate', heard);
  return () => {
    removeEventListener('hashchange', heard);
    removeEventListener('popstate', heard);
  };
}

const path = () => parseHash(location.hash).path;
const search = () => parseHash(location.hash).search;

export function useHashPath(): [string, typeof navigate] {
  return [useSyncExternalStore(subscribe, path, () => '/'), navigate];
}
useHashPath.hrefs = (href: string) => `#${href}`;

/** As it stands in the address. The router's own hook decodes it, and an address in it would then be decoded twice. */
export function useHashSearch(): string {
  return useSyncExternalStore(subscribe, search, () => '');
}
