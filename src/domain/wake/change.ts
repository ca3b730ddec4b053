// What a pass changed in a wake. No change, no write: the persisted value moves only with one of these.

import type { ReasonCode } from './verdict/failure-sentence.ts';
import type { EndedBy } from './verdict/wake-state.ts';

export type WakeChange =
  /** The tier's workloads are to be raised and its databases started. */
  | { readonly kind: 'tier_started'; readonly tier: number; readonly name: string }
  | { readonly kind: 'tier_judged'; readonly tier: number; readonly name: string }
  | { readonly kind: 'tier_released'; readonly tier: number; readonly name: string }
  /** `Wake Barrier Timeout`: the tier is released without waiting for these; they are still observed until the wake ends. */
  | {
      readonly kind: 'barrier_timeout';
      readonly tier: number;
      readonly name: string;
      readonly barrierMs: number;
      readonly leftBehind: readonly string[];
      readonly databasesLeftBehind: readonly string[];
    }
  | {
      readonly kind: 'written_off';
      readonly workload: string;
      readonly reason: ReasonCode;
      readonly sentence: string;
      /** True when the write-off takes the slot back from a recovery. */
      readonly again: boolean;
    }
  | {
      readonly kind: 'lifted' | 'broke_again' | 'came_back';
      readonly workload: string;
      readonly reason: ReasonCode;
      readonly sentence: string;
    }
  | { readonly kind: 'ended'; readonly by: EndedBy };
