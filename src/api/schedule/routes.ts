import { overrideRemoved, overrideSet } from '../../domain/announcement/request.ts';
import { parseDay } from '../../domain/schedule/parse-day.ts';
import { scheduleAt } from '../../domain/schedule/schedule.ts';
import { checkReason } from '../../domain/stops/reason.ts';
import { type ScheduleOverride, scheduleOverrides } from '../../state/intents/schedule-overrides.ts';
import { type StateSnapshot, set } from '../../state/snapshot.ts';
import { storing } from '../../state/storing.ts';
import { type Handlers, signedIn } from '../call/call.ts';
import type { ApiPorts } from '../call/ports.ts';
import { invalid, Refusal } from '../call/refusal.ts';
import type { Outlooks } from '../outlook/outlook.ts';
import { instant, instantField } from '../outlook/wire.ts';
import type { Intents } from '../state/intents.ts';
import { type ManagedState, need, readOr503 } from '../state/managed-state.ts';
import { forecastOf } from './forecast.ts';
import { planAnswer } from './plan.ts';

const planDays = 14;
/** After a change, the coming week shows what follows from it. */
const shownAfterChange = 7;
const mostOverrides = 366;

type ScheduleHandlers = Pick<
  Handlers,
  'schedule' | 'scheduleOverrides' | 'setScheduleOverride' | 'removeScheduleOverride'
>;

export function scheduleHandlers(
  ports: ApiPorts,
  state: ManagedState,
  intents: Intents,
  outlooks: Outlooks,
): ScheduleHandlers {
  const { clock, random } = ports;
  const planWith = (overrides: readonly ScheduleOverride[]) =>
    planAnswer(ports.compiled(), overrides, clock.now(), shownAfterChange);
  const entryId = () => `schedule-override-${Buffer.from(random.bytes(9)).toString('base64url')}`;
  return {
    async schedule(call) {
      const { snapshot } = await readOr503(state);
      const overrides = need(snapshot, scheduleOverrides);
      const now = scheduleAt(outlooks.schedule(snapshot), clock.now());
      const days = call.query.days ?? planDays;
      return {
        now: { awake: now.awake, code: now.reason.code, text: now.reason.text, ...instantField('until', now.until) },
        plan: planAnswer(ports.compiled(), overrides, clock.now(), days),
        ...forecastField(outlooks, snapshot, days),
        overrides: overrides.map(wireScheduleOverride),
        week: { ...outlooks.compiled.config.workingHours.schedule },
      };
    },

    async scheduleOverrides() {
      const { snapshot } = await readOr503(state);
      return { items: need(snapshot, scheduleOverrides).map(wireScheduleOverride) };
    },

    async setScheduleOverride(call) {
      const { shown: by } = signedIn(call);
      const date = realDate(call.params.date);
      const { hours } = call.body;
      const parsed = parseDay(hours);
      if (!parsed.ok) throw invalid('hours', `is not valid: ${parsed.message}`);
      const checked = checkReason(call.body.reason);
      if (!checked.ok) throw new Refusal(checked.code, checked.message);
      const id = entryId();
      return intents.write((snapshot) => {
        const at = clock.now();
        const today = instant(at - 86_400_000).slice(0, 10);
        if (date < today) throw invalid('date', `${date} has passed`);
        const override: ScheduleOverride = {
          date,
          hours,
          by,
          at,
          ...(checked.reason === undefined ? {} : { reason: checked.reason }),
        };
        // Dates that have passed say nothing any more, and would pile up.
        const others = need(snapshot, scheduleOverrides).filter((one) => one.date !== date && one.date >= today);
        if (others.length >= mostOverrides) throw invalid('date', `cannot be added: ${mostOverrides} dates are set`);
        const overrides = [...others, override].toSorted((a, b) => (a.date < b.date ? -1 : 1));
        return {
          edits: [set(scheduleOverrides, overrides), ...storing(snapshot, [overrideSet({ id, at, by }, override)])],
          answer: { override: wireScheduleOverride(override), plan: planWith(overrides) },
        };
      });
    },

    async removeScheduleOverride(call) {
      const { shown: by } = signedIn(call);
      const date = realDate(call.params.date);
      const id = entryId();
      return intents.write((snapshot) => {
        const overrides = need(snapshot, scheduleOverrides);
        const removed = overrides.find((one) => one.date === date);
        if (removed === undefined) throw new Refusal('not_found', `There is no override for ${date}.`);
        const left = overrides.filter((one) => one !== removed);
        const told = overrideRemoved({ id, at: clock.now(), by }, removed);
        return {
          edits: [set(scheduleOverrides, left), ...storing(snapshot, [told])],
          answer: { plan: planWith(left) },
        };
      });
    },
  };
}

/** The plan is told even while a value that only the forecast needs is spoilt. */
function forecastField(outlooks: Outlooks, snapshot: StateSnapshot, days: number) {
  try {
    return { forecast: forecastOf(outlooks.of(snapshot), days) };
  } catch (error) {
    if (error instanceof Refusal) return {};
    throw error;
  }
}

function realDate(text: string): string {
  const at = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(text)) {
    throw invalid('date', `${text} is not a date such as 2026-12-24`);
  }
  return text;
}

function wireScheduleOverride({ date, hours, by, at, reason }: ScheduleOverride) {
  return { date, hours, by, at: instant(at), ...(reason === undefined ? {} : { reason }) };
}
