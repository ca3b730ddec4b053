import { type WorkloadName, workloadAddress } from '../resources/workload-name.ts';

export interface Entry {
  readonly title: string;
  readonly note: string;
  readonly to: string;
}

interface NamedPage {
  readonly path: string;
  readonly title: string;
  readonly admin: boolean;
}

/** Acts open their confirmation, which says what will change; nothing is done from here. */
const acts: readonly Entry[] = [
  { title: 'Wake Up Resources', note: 'Act', to: '/control?act=wake' },
  { title: 'Keep awake until …', note: 'Act', to: '/control?act=keep-awake' },
  { title: 'Trigger Manual Hibernation', note: 'Act', to: '/control?act=hibernate' },
  { title: 'Resume Schedule', note: 'Act', to: '/control?act=resume' },
  { title: 'Stand down', note: 'Act', to: '/control?act=stand-down' },
  { title: 'Set other hours for a date', note: 'Act', to: '/calendar?set=1' },
];

const mostWorkloads = 8;

/** The first workloads whose name or namespace has every word; each leads to its page. */
export function workloadEntries(workloads: readonly WorkloadName[], text: string): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found: Entry[] = [];
  for (const workload of workloads) {
    const title = `${workload.namespace}/${workload.name}`;
    if (!words.every((word) => title.includes(word))) continue;
    found.push({ title, note: workload.kind, to: workloadAddress(workload) });
    if (found.length === mostWorkloads) break;
  }
  return found;
}

const mostSettings = 8;

/** The first settings whose name has every word; each leads to its value and what it does. */
export function settingEntries(settings: readonly { readonly path: string }[], text: string): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return settings
    .filter(({ path }) => words.every((word) => path.toLowerCase().includes(word)))
    .slice(0, mostSettings)
    .map(({ path }) => ({ title: path, note: 'Setting', to: `/settings?q=${encodeURIComponent(path)}` }));
}

export function paletteEntries(pages: readonly NamedPage[], admin: boolean): readonly Entry[] {
  const open = pages.filter((page) => admin || !page.admin);
  return [...open.map(({ title, path }) => ({ title, note: 'Page', to: path })), ...(admin ? acts : [])];
}

/** Entries whose title has every word, in any order; those that begin with the text come first. */
export function findEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const begins = (entry: Entry) => (entry.title.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1);
  return entries
    .filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
    .toSorted((a, b) => begins(a) - begins(b));
}

interface Lookup {
  readonly data: unknown;
  readonly error: Error | null;
}

/** What is said below the list. Nothing is called that only once everything has been looked through. */
export function notFoundNote({ found, reads }: { readonly found: number; readonly reads: readonly Lookup[] }): string {
  const missing = reads.filter(({ data }) => data === undefined);
  if (missing.some(({ error }) => error !== null)) return 'Workloads and settings cannot be looked up now.';
  if (missing.length > 0) return 'Workloads and settings are being looked up …';
  return found === 0 ? 'Nothing is called that.' : '';
}
