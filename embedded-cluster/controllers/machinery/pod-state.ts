import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import { instant } from './timestamps.ts';
import type { StoredPod } from './typed-store.ts';

export function isFinishedPod(pod: StoredPod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** Neither finished nor being deleted: what counts as a replica. */
export function isActive(pod: StoredPod): boolean {
  return pod.metadata.deletionTimestamp === undefined && !isFinishedPod(pod);
}

export function readyCondition(pod: StoredPod) {
  return pod.status?.conditions?.find((condition) => condition.type === 'Ready');
}

export function isReady(pod: StoredPod): boolean {
  return readyCondition(pod)?.status === 'True';
}

/** From when on the pod counts as available; undefined while it is not ready. */
export function availableFrom(pod: StoredPod, minReadySeconds: number): number | undefined {
  const ready = readyCondition(pod);
  if (ready?.status !== 'True') return undefined;
  return (instant(ready.lastTransitionTime) ?? 0) + minReadySeconds * 1000;
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const hashes = new WeakMap<object, string>();

/** The hash that names a pod template: the same for templates that are equal whatever the order of their fields. */
export function templateHash(template: PodTemplateSpec): string {
  const known = hashes.get(template);
  if (known !== undefined) return known;
  let hash = 0x811c9dc5;
  const text = canonical(template);
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  const digits = [...(hash >>> 0).toString()];
  const name = digits.map((digit) => alphabet[digit.charCodeAt(0) % alphabet.length]).join('');
  hashes.set(template, name);
  return name;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}
