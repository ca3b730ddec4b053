import { hibernationRequested, scheduleResumed, wakeRequested } from '../../domain/announcement/request.ts';
import { parseDuration } from '../../domain/duration.ts';
import { askedWakeText, dryRunText, type Teller } from '../../domain/wake/asked-wake-text.ts';
import { databaseStates } from '../../state/database-states.ts';
import { type ManualHibernation, manualHibernation } from '../../state/intents/manual-hibernation.ts';
import { scheduleOverrides } from '../../state/intents/schedule-overrides.ts';
import { type WakeOverride, wakeOverride } from '../../state/intents/wake-override.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { type StateSnapshot, set } from '../../state/snapshot.ts';
import { storing } from '../../state/storing.ts';
import { isRetry, transitionEnvelope } from '../../state/transition.ts';
import { type Handlers, signedIn } from '../call/call.ts';
import type { ApiPorts } from '../call/ports.ts';
import { invalid } from '../call/refusal.ts';
import type { Outlooks } from '../outlook/outlook.ts';
import { instant, instantField, wireManual, wireOverride } from '../outlook/wire.ts';
import { awakeUntil } from '../schedule/forecast.ts';
import { planAnswer } from '../schedule/plan.ts';
import type { Intents } from '../state/intents.ts';
import { need } from '../state/managed-state.ts';
import { refuseWhileStopped } from './refuse-while-stopped.ts';

const defaultWakeMs = 4 * 3_600_000;
/** Who wants it longer changes the schedule. */
const longestWakeMs = 7 * 24 * 3_600_000;

/** Trigger Manual Hibernation, Wake Up Resources, Resume Schedule: intents for the controller. */
export function scalingHandlers(
  ports: ApiPorts,
  intents: Intents,
  outlooks: Outlooks,
): Pick<Handlers, 'triggerHibernation' | 'wakeUp' | 'resumeSchedule'> {
  const { clock, random } = ports;
  const entryId = (kind: string) => `${kind}-${Buffer.from(random.bytes(9)).toString('base64url')}`;
  return {
    async triggerHibernation(call) {
      const { shown: by } = signedIn(call);
      const until = laterThan(clock.now(), 'until', call.body?.until);
      const id = entryId('manual-hibernation');
      return intents.write((snapshot) => {
        refuseWhileStopped(snapshot, outlooks);
        const override = need(snapshot, wakeOverride);
        // The later of the two acts counts; a wake of the same instant would win.
        const at = Math.max(clock.now(), (override?.at ?? 0) + 1);
        const manual = { by, at, ...(until === undefined ? {} : { until }) };
        const told = storing(snapshot, [hibernationRequested({ id, at, by })]);
        const message = inDryRun(ports) ? `${dryRunText} The cluster would go to sleep.` : 'The cluster goes to sleep.';
        return {
          edits: [set(manualHibernation, manual), ...told],
          answer: { manualHibernation: wireManual(manual), message },
        };
      });
    },

    async wakeUp(call) {
      const { shown: by } = signedIn(call);
      const asked = wakeEnd(clock.now(), call.body?.until, call.body?.duration);
      const id = entryId('wake-requested');
      return intents.write((snapshot) => {
        refuseWhileStopped(snapshot, outlooks);
        const before = need(snapshot, wakeOverride);
        const manual = need(snapshot, manualHibernation);
        const at = Math.max(clock.now(), manual?.at ?? 0, before?.at ?? 0);
        const until = endInForce(asked, before, manual);
        const override = { until, by, at };
        const renewal = runs(snapshot);
        const told = storing(snapshot, [wakeRequested({ id, at, by })]);
        const stays = awakeUntil(snapshot, ports.compiled(), override, at);
        const keptEnd = until > asked.until;
        const dryRun = inDryRun(ports);
        return {
          // A wake that changes nothing leaves one entry, and the controller writes it.
          edits: [set(wakeOverride, override), ...(renewal ? [] : told)],
          answer: {
            wakeOverride: wireOverride(override),
            ...instantField('awakeUntil', stays),
            keptEnd,
            renewal,
            message: askedWakeText({ dryRun, renewal, keptEnd, until, awakeUntil: stays }, caller),
          },
          room: 'reserve',
        };
      });
    },

    async resumeSchedule(call) {
      const { shown: by } = signedIn(call);
      const id = entryId('schedule-resumed');
      return intents.write((snapshot) => {
        refuseWhileStopped(snapshot, outlooks);
        const acts = need(snapshot, wakeOverride) !== null || need(snapshot, manualHibernation) !== null;
        const at = clock.now();
        const told = storing(snapshot, [scheduleResumed({ id, at, by })]);
        return {
          edits: acts ? [set(wakeOverride, null), set(manualHibernation, null), ...told] : [],
          answer: {
            message: acts ? 'The schedule decides again.' : 'The schedule decides already.',
            plan: planAnswer(ports.compiled(), need(snapshot, scheduleOverrides), clock.now(), 7),
          },
        };
      });
    },
  };
}

/** Unless an end was named, the expiry only ever moves forward. A hibernation by hand has ended the wake before it. */
function endInForce(
  asked: { readonly named: boolean; readonly until: number },
  before: WakeOverride | null,
  manual: ManualHibernation | null,
): number {
  const ended = before === null || (manual !== null && manual.at > before.at);
  return asked.named || ended ? asked.until : Math.max(asked.until, before.until);
}

/** As who calls the endpoint is told. */
const caller: Teller = { time: instant, howToSetTheEnd: 'name a time (`until`) to set the end' };

function inDryRun(ports: ApiPorts): boolean {
  return ports.config().operations.dryRun;
}

/** Nothing is down and nothing moves: a wake would change nothing. */
function runs(snapshot: StateSnapshot): boolean {
  const running = need(snapshot, transitionEnvelope);
  return (
    need(snapshot, resourceStates).length === 0 &&
    !hasStoppedDatabases(snapshot) &&
    (running === null || isRetry(running)) &&
    need(snapshot, phase)?.phase !== 'hibernated'
  );
}

/** Of databases that cannot be read nobody knows: waking does not wait for them. */
function hasStoppedDatabases(snapshot: StateSnapshot): boolean {
  const states = snapshot.read(databaseStates);
  return states.ok && [...states.value.values()].some(({ stoppedByUs }) => stoppedByUs);
}

function wakeEnd(now: number, until: string | undefined, duration: string | undefined) {
  if (until !== undefined && duration !== undefined) throw invalid('until', 'and duration cannot both be given');
  if (until !== undefined) return { named: true, until: within(now, laterThan(now, 'until', until)!, 'until') };
  if (duration === undefined) return { named: false, until: now + defaultWakeMs };
  const parsed = parseDuration(duration);
  if (!parsed.ok) throw invalid('duration', parsed.error);
  if (parsed.ms <= 0) throw invalid('duration', 'must be longer than 0s');
  return { named: false, until: within(now, now + parsed.ms, 'duration') };
}

function within(now: number, until: number, field: string): number {
  if (until - now > longestWakeMs) throw invalid(field, 'is more than 168h away; change the schedule instead');
  return until;
}

function laterThan(now: number, field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = Date.parse(text);
  if (at <= now)
    throw invalid(field, `is ${instant(at)}, which has passed: it is ${instant(now)} now; give a later time`);
  return at;
}
