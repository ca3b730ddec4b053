import type { AnswerOf } from '../../contract/operations.ts';
import type { Choice } from '../../domain/desired/choice.ts';
import { planOf } from '../../domain/schedule/plan.ts';
import { stateText } from '../../domain/schedule/wording.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { chosenAt, unactedAt } from '../../service/desired.ts';
import { externalWakeSessions } from '../../state/external-wake-sessions.ts';
import { scheduleOverrides } from '../../state/intents/schedule-overrides.ts';
import type { WakeOverride } from '../../state/intents/wake-override.ts';
import type { StateSnapshot } from '../../state/snapshot.ts';
import { standDown } from '../../state/stand-down.ts';
import type { Outlook } from '../outlook/outlook.ts';
import { instant, instantField } from '../outlook/wire.ts';
import { need } from '../state/managed-state.ts';

type Band = NonNullable<AnswerOf<'schedule'>['forecast']>[number];
type Unacted = NonNullable<AnswerOf<'hibernationStatus'>['unacted']>;

/** What decides a stretch when it is not the calendar. */
const deciders: Readonly<Record<string, Band['source']>> = {
  wake_override: 'act',
  manual_hibernation: 'act',
  external_wake: 'cluster',
};

/**
 * What will be if nobody does anything: the calendar, and before it what people and other clusters asked for, by the
 * same choice that the controller acts on. While a stop holds, nobody knows when it ends, so it holds to the end.
 */
export function forecastOf(outlook: Outlook, days: number): Band[] {
  const { desired, deciding, schedule, now } = outlook;
  const plan = planOf(schedule, now, days);
  if (desired.causes.length > 0) {
    return [{ from: instant(now), to: instant(plan.to), awake: true, source: 'stop', label: desired.reason.text }];
  }
  const bands: Band[] = [];
  let at = now;
  while (at < plan.to) {
    const choice = chosenAt(deciding, schedule, at);
    const to = Math.min(
      choice.holdsUntil !== undefined && choice.holdsUntil > at ? choice.holdsUntil : plan.to,
      plan.to,
    );
    const source = deciders[choice.code];
    if (source !== undefined) bands.push(band(at, to, choice.awake, source, choice.cause));
    else {
      for (const part of plan.bands) {
        const [from, until] = [Math.max(part.from, at), Math.min(part.to, to)];
        if (from < until) bands.push(band(from, until, part.awake, part.source, part.label));
      }
    }
    at = to;
  }
  return bands;
}

/** When the cluster next goes up or down if nobody does anything; undefined when never. */
export function nextFlipAt({ deciding, schedule, now }: Pick<Outlook, 'deciding' | 'schedule' | 'now'>) {
  const chosen = (at: number) => chosenAt(deciding, schedule, at);
  return flipsAt(chosen(now), chosen, now);
}

/** When the cluster next goes to sleep if nobody does anything; undefined while nobody knows, or when it never does. */
export function nextSleepAt({ desired, deciding, schedule, now }: Outlook): number | undefined {
  if (desired.causes.length > 0) return undefined;
  const chosen = (at: number) => chosenAt(deciding, schedule, at);
  const first = chosen(now);
  const flip = flipsAt(first, chosen, now);
  return first.awake || flip === undefined ? flip : flipsAt(chosen(flip), chosen, flip);
}

/**
 * Until when the cluster stays awake once it is woken until `wakeOverride`: its end, or later by the schedule or for another
 * cluster. Undefined when it never sleeps, and while dates cannot be read: a wake needs neither.
 */
export function awakeUntil(
  snapshot: StateSnapshot,
  compiled: CompiledConfig,
  wakeOverride: WakeOverride,
  now: number,
): number | undefined {
  const dates = snapshot.read(scheduleOverrides);
  if (!dates.ok) return undefined;
  const schedule = compiled.schedule(dates.value);
  const sessions = snapshot.read(externalWakeSessions);
  const state = {
    standDown: need(snapshot, standDown),
    wakeOverride,
    manualHibernation: null,
    externalSessions: sessions.ok ? sessions.value : [],
  };
  const chosen = (at: number) => chosenAt(state, schedule, at);
  return flipsAt(chosen(now), chosen, now);
}

/** What would be wanted now if no person had done anything and no stop held: what a resumed schedule leads to. */
export function unactedOf({ deciding, schedule, now }: Outlook): Unacted {
  const choice = unactedAt(deciding, schedule, now);
  const until = flipsAt(choice, (at) => unactedAt(deciding, schedule, at), now);
  const state = stateText(schedule, choice.awake ? 'Awake' : 'Hibernated', now, until);
  return { awake: choice.awake, text: `${state}: ${choice.cause}`, ...instantField('until', until) };
}

function flipsAt(first: Choice, next: (at: number) => Choice, now: number): number | undefined {
  let [choice, at] = [first, now];
  while (choice.holdsUntil !== undefined && choice.holdsUntil > at) {
    at = choice.holdsUntil;
    choice = next(at);
    if (choice.awake !== first.awake) return at;
  }
  return undefined;
}

// biome-ignore lint/complexity/useMaxParams: the five fields of a band, in their order.
function band(from: number, to: number, awake: boolean, source: Band['source'], label: string): Band {
  return { from: instant(from), to: instant(to), awake, source, label };
}
