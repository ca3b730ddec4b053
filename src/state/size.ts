export type StateSizeLevel = 'normal' | 'warning' | 'critical' | 'full';

export interface StateSize {
  readonly bytes: number;
  readonly level: StateSizeLevel;
}

/**
 * `ordinary` is where whatever begins something (records of a hibernation, people's overrides) has to stop. What is above
 * it is a reserve for stopping, handing back, waking and telling, which therefore never fail for want of room.
 */
export const stateSizeLimits = { warning: 819_200, critical: 900_000, ordinary: 917_504, hard: 1_048_576 } as const;

/** Counted as the apiserver counts against its limit: the bytes of the values, without their keys. */
export function stateSize(data: Readonly<Record<string, string>> | undefined): StateSize {
  let bytes = 0;
  for (const value of Object.values(data ?? {})) bytes += byteLength(value);
  return { bytes, level: sizeLevel(bytes) };
}

const beyondAscii = /[\u0080-\uffff]/;

/** Names and numbers are ASCII: their bytes need not be written out to be counted. */
export function byteLength(text: string): number {
  return beyondAscii.test(text) ? new TextEncoder().encode(text).length : text.length;
}

/** The limit itself still fits; a warning begins above its threshold, like the alert of the same name. */
export function sizeLevel(bytes: number): StateSizeLevel {
  if (bytes > stateSizeLimits.hard) return 'full';
  if (bytes > stateSizeLimits.critical) return 'critical';
  return bytes > stateSizeLimits.warning ? 'warning' : 'normal';
}
