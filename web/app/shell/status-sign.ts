import type { Status } from '../data/queries.ts';

/** One word and one color for the cluster; what cannot be read is neither up nor down. */
export type Sign = 'awake' | 'hibernated' | 'waking' | 'hibernating' | 'stopped' | 'unknown';

export function signOf(status: Pick<Status, 'state' | 'causes'> | undefined): Sign {
  if (status === undefined) return 'unknown';
  return status.causes.length > 0 ? 'stopped' : status.state;
}

export const signWords: Readonly<Record<Sign, string>> = {
  awake: 'Awake',
  hibernated: 'Hibernated',
  waking: 'Waking up',
  hibernating: 'Going to sleep',
  stopped: 'Not scaling',
  unknown: 'Unknown',
};

const colors: Readonly<Record<Sign, string>> = {
  awake: '#1e6b34',
  hibernated: '#3b4a6b',
  waking: '#8a4b08',
  hibernating: '#8a4b08',
  stopped: '#b3261e',
  unknown: '#6b7280',
};

const shapes: Readonly<Record<Sign, string>> = {
  awake: '<circle cx="16" cy="16" r="7" fill="#fff"/>',
  hibernated: '<path d="M21 19.500A9 9 0 0 1 12.500 8A9 9 0 1 0 24 18z" fill="#fff"/>',
  waking: '<path d="M16 8l8 9h-5v7h-6v-7H8z" fill="#fff"/>',
  hibernating: '<path d="M16 24l8-9h-5V8h-6v7H8z" fill="#fff"/>',
  stopped: '<path d="M9 9h14v14H9z" fill="#fff"/>',
  unknown: '<path d="M8 14h16v4H8z" fill="#fff"/>',
};

/** Shape and color both tell, so that one who sees no color reads the tab too. */
export function faviconOf(sign: Sign): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${colors[sign]}"/>${shapes[sign]}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

export function titleOf(sign: Sign, clusterName: string | undefined): string {
  return clusterName === undefined ? signWords[sign] : `${signWords[sign]} · ${clusterName}`;
}
