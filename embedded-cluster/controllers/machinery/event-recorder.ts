import type { Event } from 'kubernetes-types/core/v1.js';
import type { Clock } from '../../ports/clock.ts';
import { timestamp } from './timestamps.ts';
import type { AnyObject, StoredOf, TypedStore } from './typed-store.ts';

export type EventsKept = 'all' | 'warnings' | 'none';

export interface Report {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly fieldPath?: string;
}

interface Recorded {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
  readonly at: number;
}

const kept = 3_600_000;

/**
 * Writes core/v1 Events: a repeated one raises the count of the first. They are dropped an hour after their last
 * occurrence, when the next one is written: a quiet cluster needs no timer for it.
 */
export class EventRecorder {
  readonly #store: TypedStore;
  readonly #clock: Clock;
  #which: EventsKept;
  readonly #names = new Map<string, string>();
  #recorded: Recorded[] = [];
  #sequence = 0;

  constructor(store: TypedStore, clock: Clock, which: EventsKept) {
    this.#store = store;
    this.#clock = clock;
    this.#which = which;
  }

  /** From now on. */
  keep(which: EventsKept): void {
    this.#which = which;
  }

  record(component: string, about: AnyObject, report: Report, host?: string): void {
    if (this.#which === 'none' || (this.#which === 'warnings' && report.type === 'Normal')) return;
    const at = this.#clock.now();
    this.#dropOld(at);
    const namespace = about.metadata.namespace ?? 'default';
    const key = `${about.metadata.uid}|${report.reason}|${report.fieldPath ?? ''}|${report.message}`;
    const known = this.#names.get(key);
    const before = known === undefined ? undefined : this.#store.get('events', namespace, known);
    const name = before === undefined ? this.#create(component, about, report, { at, host }) : this.#repeat(before, at);
    this.#names.set(key, name);
    this.#recorded.push({ namespace, name, key, at });
  }

  #create(
    component: string,
    about: AnyObject,
    report: Report,
    { at, host }: { readonly at: number; readonly host: string | undefined },
  ): string {
    const time = timestamp(at);
    const { namespace, uid, resourceVersion } = about.metadata;
    // The sequence keeps names apart that fall into one millisecond.
    const name = `${about.metadata.name}.${(at * 1000 + (this.#sequence++ % 1000)).toString(16)}`;
    const event: Event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace: namespace ?? 'default' },
      involvedObject: {
        apiVersion: about.apiVersion ?? '',
        kind: about.kind ?? '',
        name: about.metadata.name,
        uid,
        resourceVersion,
        ...(namespace === undefined ? {} : { namespace }),
        ...(report.fieldPath === undefined ? {} : { fieldPath: report.fieldPath }),
      },
      reason: report.reason,
      message: report.message,
      type: report.type,
      source: { component, ...(host === undefined ? {} : { host }) },
      reportingComponent: component,
      reportingInstance: host ?? '',
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    };
    this.#store.create('events', event);
    return name;
  }

  #repeat(before: StoredOf<'events'>, at: number): string {
    this.#store.update('events', { ...before, count: (before.count ?? 1) + 1, lastTimestamp: timestamp(at) });
    return before.metadata.name;
  }

  #dropOld(now: number): void {
    let old = 0;
    for (let one = this.#recorded[old]; one !== undefined && one.at + kept < now; one = this.#recorded[old]) {
      old++;
      const event = this.#store.get('events', one.namespace, one.name);
      // Repeated since: a later entry of the list answers for it.
      if (event === undefined || Date.parse(event.lastTimestamp ?? '') + kept >= now) continue;
      this.#store.delete('events', event);
      this.#names.delete(one.key);
    }
    if (old > 0) this.#recorded = this.#recorded.slice(old);
  }
}
