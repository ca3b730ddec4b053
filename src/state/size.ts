export type StateSizeLevel = 'normal' | 'warning' | 'critical' | 'full';

export interface StateSize {
  readonly bytes: number;
  readonly level: StateSizeLevel;
}

export const stateSizeLimits = { warning: 819_200, critical: 900_000, hard: 1_048_576 } as const;

/** Counted as the apiserver counts against its limit: the bytes of the values, without their keys. */
export function stateSize(data: Readonly<Record<string, string>> | undefined): StateSize {
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const value of Object.values(data ?? {})) bytes += encoder.encode(value).length;
  return { bytes, level: sizeLevel(bytes) };
}

/** The limit itself still fits; a warning begins above its threshold, like the alert of the same name. */
export function sizeLevel(bytes: number): StateSizeLevel {
  if (bytes > stateSizeLimits.hard) return 'full';
  if (bytes > stateSizeLimits.critical) return 'critical';
  return bytes > stateSizeLimits.warning ? 'warning' : 'normal';
}
