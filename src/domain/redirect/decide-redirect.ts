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

export interface RedirectScene {
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

/** Until then a record that has not been acted on is made again when the selector changed; after that, the owner wins. */
const provisionalMs = 15 * 60_000;

/** Record, put the satellite up, redirect; on the way back restore, take the satellite down, drop the record. */
export function decideRedirect(scene: RedirectScene): RedirectStep {
  const { service, want } = scene;
  const problem = service === undefined ? 'there is no such Service' : unsuitable(service);
  if (want === 'satellite' && service !== undefined && problem === undefined) return towardsSatellite(scene, service);
  return towardsOwn({ ...scene, because: want === 'satellite' ? (problem ?? scene.because) : scene.because });
}

function towardsSatellite(scene: RedirectScene, service: Service): RedirectStep {
  const record = scene.record?.uid === service.uid ? scene.record : undefined;
  if (pointsAtSatellite(service)) return keepRedirected(scene, service, record);
  if (record === undefined) return recorded(service, service.selector, scene.now, 'its selector is not recorded yet');
  if (isMarked(service)) return settled('its owner gave it another selector, which is respected');
  if (!sameSelector(record.selector, service.selector)) {
    if (scene.now - record.at > provisionalMs) return settled('its owner gave it another selector, which is respected');
    return recorded(service, service.selector, scene.now, 'its selector changed before it was redirected');
  }
  const stand = standSatellite(scene);
  if (stand !== undefined) return stand;
  if (scene.satellite?.ready || scene.nothingServes) return { act: 'redirect', reason: scene.because };
  return { act: 'none', settled: false, reason: 'its satellite is not ready yet' };
}

function keepRedirected(scene: RedirectScene, service: Service, record: RedirectRecord | undefined): RedirectStep {
  if (record === undefined) {
    const selector = markedSelector(service);
    if (selector === undefined) return selectorLost;
    return recorded(service, selector, scene.now, 'its record was lost and is rebuilt from the annotation');
  }
  return standSatellite(scene) ?? settled(scene.because);
}

function standSatellite({ satellite }: RedirectScene): RedirectStep | undefined {
  if (satellite === undefined) return { act: 'create-satellite', reason: 'it has no satellite yet' };
  return satellite.current ? undefined : { act: 'remove-satellite', reason: 'its satellite is made anew' };
}

function towardsOwn(scene: RedirectScene): RedirectStep {
  const { service, record, satellite, because } = scene;
  if (service !== undefined && !service.deleting) {
    if (pointsAtSatellite(service)) return liftRedirect(scene, service);
    if (isMarked(service)) return { act: 'disown', reason: 'its owner gave it another selector' };
  }
  // Also without a record: the state may have been lost with it.
  if (satellite !== undefined) return { act: 'remove-satellite', reason: 'the service has its own selector' };
  if (record === undefined) return settled(because);
  return { act: 'drop-record', reason: 'nothing is left of the redirect' };
}

function liftRedirect(scene: RedirectScene, service: Service): RedirectStep {
  // The mark was written with the redirect itself, so it wins over the record.
  const selector = markedSelector(service) ?? (scene.record?.uid === service.uid ? scene.record.selector : undefined);
  if (selector === undefined) return selectorLost;
  if (!scene.mayLift) return { act: 'none', settled: false, reason: 'no pod of its own is ready yet' };
  return { act: 'restore', selector, reason: scene.because };
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
