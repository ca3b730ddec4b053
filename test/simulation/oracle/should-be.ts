import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { holidaysOf } from './holidays.ts';
import { type HoursText, isWorkingTime, nextBeginning } from './working-hours.ts';

// Written from the specification alone: nothing here asks the service what it would do, and the state is read as it is stored.

type Data = Readonly<Record<string, string>>;
type Json = Readonly<Record<string, unknown>>;

/** What a dependent cluster named of this one. */
interface Named {
  readonly namespace: string;
  readonly type?: string;
  readonly name?: string;
}

/** What the cluster should be at an instant. */
export interface ShouldBe {
  readonly cluster: 'up' | 'down';
  /** A stand-down or the license stops all scaling down: everything is handed back. */
  readonly stopped: boolean;
  /** Up only because another cluster needs all of it. */
  readonly forOthers: boolean;
  /** While down: what other clusters need all the same. */
  readonly kept: readonly Named[];
  /** Keys of the state that could say otherwise and cannot be read. */
  readonly unsure: readonly string[];
}

/** Everything that decides it. */
export interface Grounds {
  readonly state: Data;
  /** As the chart writes it: what is left out has the default of the specification. */
  readonly config: Json;
  readonly licensed: boolean;
  /** Whether what somebody asked for under this key at that time was asked for before the last stop ended: it does not come back. */
  isVoid(key: string, at: string): boolean;
}

const unreadable = Symbol('unreadable');
type Read = Json | undefined | typeof unreadable;

/** The keys that can say that the cluster has to stay up. */
const sayUp = ['wake_override', 'stand_down', 'external_wake_sessions', 'schedule_overrides'];
/** Without these nothing is lowered either: what was recorded, and how far a transition has come. */
const recorded = ['resource_states', 'phase', 'transition'];

export function shouldBe(grounds: Grounds, at: number): ShouldBe {
  const { state } = grounds;
  const unsure = [...sayUp, ...recorded].filter((key) => read(state, key) === unreadable);
  const up = { cluster: 'up', stopped: false, forOthers: false, kept: [], unsure } as const;
  if (isStopped(grounds)) return { ...up, stopped: true };
  const hours = hoursOf(grounds);
  const person = personsAct(grounds, hours, at);
  if (person === 'woke' || (person === undefined && isWorkingTime(hours, at))) return up;
  const sessions = list(state, 'external_wake_sessions').filter(
    (one) => at < instant(one['expiresAt']) && (person === undefined || instant(one['startedAt']) > person.at),
  );
  const named = sessions.map((one) => (one['resources'] ?? []) as readonly Named[]);
  if (named.some((resources) => resources.length === 0)) return { ...up, forOthers: true };
  return { ...up, cluster: 'down', kept: named.flat() };
}

/** What is wanted of one workload of ours. */
export function shouldBeOf(should: ShouldBe, config: Json, object: KubeObject): 'up' | 'down' {
  const shut = neverWokenForOthers(config, object.metadata.namespace ?? '');
  if (should.cluster === 'up') return should.forOthers && shut ? 'down' : 'up';
  const { namespace, name } = object.metadata;
  const kept = should.kept.some(
    (one) =>
      one.namespace === namespace &&
      (one.type === undefined || one.type === object.kind) &&
      (one.name === undefined || one.name === name),
  );
  return kept && !shut ? 'up' : 'down';
}

/** No session of another cluster brings anything up there. */
export function neverWokenForOthers(config: Json, namespace: string): boolean {
  const given = config['externalWake'] as { excludedNamespaces?: readonly string[] } | undefined;
  return given?.excludedNamespaces?.includes(namespace) ?? false;
}

function isStopped({ state, config, licensed }: Grounds): boolean {
  if (!licensed || (config['global'] as { enabled?: boolean } | undefined)?.enabled === false) return true;
  return isStoodDown(state) === true;
}

/** An admin's stand-down, or one of the configuration that the controller has seen; undefined where the state cannot be read. */
export function isStoodDown(state: Data): boolean | undefined {
  const stood = read(state, 'stand_down');
  if (stood === unreadable) return undefined;
  return typeof stood === 'object' && ('admin' in stood || 'configuration' in stood);
}

/**
 * Of a person's wake and a person's hibernation the later counts, and the earlier is over for good. A wake lasts until its
 * time; a hibernation until its time, or until working hours next begin.
 */
function personsAct(grounds: Grounds, hours: HoursText, at: number): 'woke' | { readonly at: number } | undefined {
  const wake = actOf(grounds, 'wake_override');
  const sleep = actOf(grounds, 'manual_hibernation');
  if (wake !== undefined && (sleep === undefined || wake.at >= sleep.at)) {
    return at < wake.until! ? 'woke' : undefined;
  }
  if (sleep === undefined) return undefined;
  const until = sleep.until ?? nextBeginning(hours, sleep.at) ?? Number.POSITIVE_INFINITY;
  return at < until ? { at: sleep.at } : undefined;
}

function actOf({ state, isVoid }: Grounds, key: string): { at: number; until?: number } | undefined {
  const stored = read(state, key);
  if (typeof stored !== 'object' || !('at' in stored)) return undefined;
  if (isVoid(key, String(stored['at']))) return undefined;
  const at = instant(stored['at']);
  return { at, ...(stored['until'] === undefined ? {} : { until: instant(stored['until']) }) };
}

const office = '08:00-20:00';
const standardWeek = {
  monday: office,
  tuesday: office,
  wednesday: office,
  thursday: office,
  friday: office,
  saturday: 'off',
  sunday: 'off',
};

function hoursOf({ state, config }: Grounds): HoursText {
  const given = (config['workingHours'] ?? {}) as { timezone?: string; schedule?: Record<string, string> };
  const holidays = (config['holidays'] ?? {}) as { regions?: readonly string[]; act?: boolean };
  const dates = list(state, 'schedule_overrides').map((one) => [one['date'], one['hours']] as const);
  return {
    timezone: given.timezone ?? 'Europe/Berlin',
    schedule: { ...standardWeek, ...given.schedule },
    dates: Object.fromEntries(dates) as Record<string, string>,
    holidays: holidays.act === true ? holidaysOf(holidays.regions ?? []) : [],
  };
}

function list(state: Data, key: string): readonly Json[] {
  const value = read(state, key);
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function read(state: Data, key: string): Read {
  const text = state[key];
  if (text === undefined || text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return unreadable;
  }
}

function instant(text: unknown): number {
  return Date.parse(text as string);
}
