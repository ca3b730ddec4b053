import type { AnswerOf } from '../../../src/contract/contract.ts';
import type { EndpointId } from '../../../src/contract/endpoints.ts';
import type { InsightsReport } from '../../../src/domain/insight/report.ts';
import { keys } from '../../../web/app/data/keys.ts';
import { type Answers, emptyAnswers, fullAnswers, shownWorkload } from '../../../web/fixtures/answers.ts';
import { transition } from '../../../web/fixtures/transition.ts';

export type Wire = Readonly<Partial<Record<EndpointId, unknown>>>;

const many = 5_000;
/** What one answer holds of the log; a configuration is never longer either. */
const long = 1_000;
/** Lists that the service keeps short by itself. */
const fewer = 300;

/** As long as a name of Kubernetes gets. */
export const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
/** Hebrew and Arabic, with a mark that turns what follows it around. */
const rightToLeft = 'אשכול הייצור \u202eשלוم التجارة 123';

export const full = () => wire(fullAnswers());
export const longNames = () => wire(fullAnswers(longest));
export const rightToLeftNames = () => wire(fullAnswers(rightToLeft));
export const empty = () => ({ ...wire(emptyAnswers()), wakeStatus: { ...wakeStatus, progress: null } });

/** Everything that is a list, as long as it gets. */
export function manyRows(): Wire {
  const answers = wire(fullAnswers());
  const rows = repeated(itemsOf(answers.resources), many, (row, index) => ({
    ...row,
    name: `${row['name']}-${index}`,
  }));
  const longer = (id: EndpointId, count: number, list = 'items') => {
    const answer = answers[id] as Readonly<Record<string, readonly Row[]>>;
    const named = (row: Row, index: number) => ({
      ...row,
      id: index === 0 ? row['id'] : `${index}`,
      name: `${row['name'] ?? 'row'}-${index}`,
    });
    return { [id]: { ...answer, [list]: repeated(answer[list] ?? [], count, named) } };
  };
  const log = answers.audit as AnswerOf<'audit'>;
  const settings = answers.settings as AnswerOf<'settings'>;
  const workload = answers.workload as AnswerOf<'workload'>;
  const fleet = answers.fleet as AnswerOf<'fleet'>;
  // The API keeps the parts of a workload short by itself.
  const part = ({ items }: { readonly items: readonly object[] }) => ({
    items: repeated(items, fewer, (row, index) => ({
      ...row,
      id: `${index}`,
      name: `${row['name'] ?? 'row'}-${index}`,
    })),
    more: true,
  });
  return {
    ...answers,
    resources: pageOf(rows),
    ignoredResources: pageOf(
      repeated(itemsOf(answers.ignoredResources), many, (row, index) => ({ ...row, name: `${row['name']}-${index}` })),
    ),
    audit: logOf(repeated(log.entries, long, (row, index) => ({ ...row, id: index === 0 ? row['id'] : `${index}` }))),
    ...longer('notificationDeliveries', fewer),
    ...longer('databases', fewer),
    ...longer('passkeys', 20),
    ...longer('calendarFeeds', 200),
    ...longer('externalWakeSessions', fewer),
    workload: { ...workload, pods: part(workload.pods), events: part(workload.events), past: part(workload.past) },
    fleet: {
      ...fleet,
      namespaces: repeated(fleet.namespaces, many, (row, index) => ({ ...row, namespace: `team-${index}` })),
    },
    insights: manyDays(answers.insights as AnswerOf<'insights'>),
    settings: {
      ...settings,
      settings: repeated(settings.settings, long, (row, index) => ({
        ...row,
        path: `section${index % 40}.value${index}`,
      })),
    },
  };
}

/** A year of days, and as many namespaces. */
function manyDays({ report, ...rest }: AnswerOf<'insights'>): AnswerOf<'insights'> {
  const { days, namespaces } = report as InsightsReport;
  const day = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
  return {
    ...rest,
    report: {
      ...report,
      days: repeated(days, 365, (row, index) => ({ ...row, date: day(index) })),
      namespaces: repeated(namespaces, many, (row, index) => ({ ...row, namespace: `team-${index}` })),
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

const wakeStatus = {
  waking: true,
  transition: null,
  wakeOverride: null,
  progress: transition(),
};

/** What the cache of the app keeps, as the routes answer it. */
function wire(answers: Answers): Wire {
  const of = (key: readonly unknown[]) => answers.find(([name]) => JSON.stringify(name) === JSON.stringify(key))?.[1];
  return {
    hibernationStatus: of(keys.status),
    schedule: of(keys.schedule(42)),
    wakeStatus,
    resources: pageOf(of(keys.resources) as readonly Row[]),
    ignoredResources: pageOf(of(keys.ignored) as readonly Row[]),
    preview: of(keys.preview),
    audit: of(keys.audit({})),
    settings: of(keys.settings),
    externalWakeSessions: of(keys.sessions),
    databases: of(keys.databases),
    satellites: of(keys.satellites),
    workload: of(keys.workload(`${shownWorkload.kind}/${shownWorkload.namespace}/${shownWorkload.name}`)),
    fleet: of(keys.fleet),
    notificationDeliveries: of(keys.deliveries),
    calendarFeeds: of(keys.calendarFeeds),
    license: of(keys.license),
    passkeys: of(keys.passkeys),
    insights: of(keys.insights),
    costs: of(keys.costs),
    branding: of(keys.branding),
  };
}

/** By the page that is asked for, as the listings answer. */
function pageOf(rows: readonly Row[]) {
  return (query: URLSearchParams) => {
    const [limit, offset] = [Number(query.get('limit') ?? 1000), Number(query.get('offset') ?? 0)];
    const items = rows.slice(offset, offset + limit);
    return { items, total: rows.length, ...(offset + limit < rows.length ? { next: offset + limit } : {}) };
  };
}

/** As the log is answered: so many of the newest, or of those after a place. */
function logOf(entries: readonly Row[]) {
  return (query: URLSearchParams) => {
    const [limit, first] = [Number(query.get('limit') ?? 100), Number(query.get('after') ?? 0)];
    const next = first + limit < entries.length ? { next: String(first + limit) } : {};
    return { entries: entries.slice(first, first + limit), total: entries.length, unreadable: 0, ...next };
  };
}

function itemsOf(listing: unknown): readonly Row[] {
  return (listing as ReturnType<typeof pageOf>)(new URLSearchParams()).items;
}

function repeated<T extends object>(rows: readonly T[], count: number, change: (row: Row, index: number) => Row) {
  return Array.from({ length: count }, (_, index) => change(rows[index % rows.length] as Row, index));
}
