import type { EpochMs, StringMap } from '../workload.ts';
import { isMarked, markedSelector, pointsAtSatellite, sameSelector } from './marks.ts';
import { unsuitable } from './satellite-ports.ts';
import type { Service, ServiceRef } from './service.ts';

/** The selector that a Service had before it was redirected. */
export interface RedirectRecord extends ServiceRef {
  readonly uid: string;
  readonly selector: StringMap;
  readonly at: EpochMs;
}

export interface Satellite {
  readonly ready: boolean;
  /** Made from what a satellite is made from now. */
  readonly current: boolean;
}

export interface RedirectInput {
  /** What the Service should point at. */
  readonly want: 'satellite' | 'own';
  /** Why it should; the reason of a decision to leave things as they are. */
  readonly because: string;
  /** Its own pods can serve, or nothing is waited for any more. */
  readonly mayLift: boolean;
  /** Its own pods are gone: pointing at a satellite that is not ready yet can only help. */
  readonly nothingServes: boolean;
  readonly service?: Service;
  readonly record?: RedirectRecord;
  readonly satellite?: Satellite;
  readonly now: EpochMs;
}

/** One step of a redirect, or of the way back; each is one write. `settled` says that nothing is left to do. */
export type RedirectStep =
  | { readonly act: 'none'; readonly settled: boolean; readonly reason: string; readonly warn?: true }
  | { readonly act: 'record'; readonly record: RedirectRecord; readonly reason: string }
  | { readonly act: 'drop-record'; readonly reason: string }
  | { readonly act: 'create-satellite'; readonly reason: string }
  | { readonly act: 'remove-satellite'; readonly reason: string }
  | { readonly act: 'redirect'; readonly reason: string }
  | { readonly act: 'restore'; readonly selector: StringMap; readonly reason: string }
  | { readonly act: 'disown'; readonly reason: string };

/** If the selector changes within this time after we recorded it, it is recorded anew; later, the owner changed it and wins. */
const provisionalMs = 15 * 60_000;

/** Record, put the satellite up, redirect; on the way back restore, take the satellite down, drop the record. */
export function decideRedirect(input: RedirectInput): RedirectStep {
  const { service, want } = input;
  const problem = service === undefined ? 'there is no such Service' : unsuitable(service);
  if (want === 'satellite' && service !== undefined && problem === undefined) return towardsSatellite(input, service);
  return towardsOwn({ ...input, because: want === 'satellite' ? (problem ?? input.because) : input.because });
}

function towardsSatellite(input: RedirectInput, service: Service): RedirectStep {
  const record = input.record?.uid === service.uid ? input.record : undefined;
  if (pointsAtSatellite(service)) return keepRedirected(input, service, record);
  if (record === undefined) return recorded(service, service.selector, input.now, 'its selector is not recorded yet');
  if (isMarked(service)) return settled('its owner gave it another selector, which is respected');
  if (!sameSelector(record.selector, service.selector)) {
    if (input.now - record.at > provisionalMs) return settled('its owner gave it another selector, which is respected');
    return recorded(service, service.selector, input.now, 'its selector changed before it was redirected');
  }
  const stand = standSatellite(input);
  if (stand !== undefined) return stand;
  if (input.satellite?.ready || input.nothingServes) return { act: 'redirect', reason: input.because };
  return { act: 'none', settled: false, reason: 'its satellite is not ready yet' };
}

function keepRedirected(input: RedirectInput, service: Service, record: RedirectRecord | undefined): RedirectStep {
  if (record === undefined) {
    const selector = markedSelector(service);
    if (selector === undefined) return selectorLost;
    return recorded(service, selector, input.now, 'its record was lost and is rebuilt from the annotation');
  }
  return standSatellite(input) ?? settled(input.because);
}

function standSatellite({ satellite }: RedirectInput): RedirectStep | undefined {
  if (satellite === undefined) return { act: 'create-satellite', reason: 'it has no satellite yet' };
  return satellite.current ? undefined : { act: 'remove-satellite', reason: 'its satellite is made anew' };
}

function towardsOwn(input: RedirectInput): RedirectStep {
  const { service, record, satellite, because } = input;
  if (service !== undefined && !service.deleting) {
    if (pointsAtSatellite(service)) return liftRedirect(input, service);
    if (isMarked(service)) return { act: 'disown', reason: 'its owner gave it another selector' };
  }
  // Also without a record: the state may have been lost with it.
  if (satellite !== undefined) return { act: 'remove-satellite', reason: 'the service has its own selector' };
  if (record === undefined) return settled(because);
  return { act: 'drop-record', reason: 'nothing is left of the redirect' };
}

function liftRedirect(input: RedirectInput, service: Service): RedirectStep {
  // The mark was written with the redirect itself, so it wins over the record.
  const selector = markedSelector(service) ?? (input.record?.uid === service.uid ? input.record.selector : undefined);
  if (selector === undefined) return selectorLost;
  if (!input.mayLift) return { act: 'none', settled: false, reason: 'no pod of its own is ready yet' };
  return { act: 'restore', selector, reason: input.because };
}

const selectorLost: RedirectStep = {
  act: 'none',
  settled: false,
  warn: true,
  reason: 'it points at a satellite, and the selector it had is not known; set it by hand',
};

function recorded(service: Service, selector: StringMap, at: EpochMs, reason: string): RedirectStep {
  const { namespace, name, uid } = service;
  return { act: 'record', record: { namespace, name, uid, selector, at }, reason };
}

function settled(reason: string): RedirectStep {
  return { act: 'none', settled: true, reason };
}
