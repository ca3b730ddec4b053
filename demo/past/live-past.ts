import { type Admin, asAdmin } from './admin.ts';
import { isWeekday } from './dates.ts';
import { type PastController, startPastController } from './past-controller.ts';
import type { PastOptions } from './past-options.ts';

const hourMs = 3_600_000;
/** Enough for a wake to come to its end. */
const wakeFirstMs = 20 * 60_000;
const awakeAtFirstMs = 2 * hourMs;
/** As long as a cluster keeps events; those of before are nowhere now, and were most of what it wrote. */
const eventsKeptMs = hourMs;

interface Happening {
  readonly at: number;
  run(): Promise<void> | void;
}

/**
 * Lives through the weeks before now: the controller acts on its own, and people do what people do, all of it by the
 * product itself, so that every record of it is one that the product wrote.
 */
export async function livePast(options: PastOptions, present: () => number): Promise<void> {
  const { clock } = options;
  const controller = await startPastController(options);
  const somebodyLooks = {
    at: present() - eventsKeptMs,
    run() {
      options.cluster.keepEvents('all');
      options.cluster.keepEndpoints();
    },
  };
  for (const { at, run } of [...happenings(options), somebodyLooks].toSorted((a, b) => a.at - b.at)) {
    await clock.advance(Math.max(0, at - clock.now()));
    await run();
  }
  await clock.advance(Math.max(0, present() - wakeFirstMs - clock.now()));
  await stayAwake(options, present(), controller);
  // Living takes time too: as much as it took is lived as well.
  for (let left = present() - clock.now(); left > 0; left = present() - clock.now()) await clock.advance(left);
  await controller.stop();
}

function happenings(options: PastOptions): readonly Happening[] {
  const { cluster, dates, holidays, zone, fleet, releases } = options;
  const working = dates.filter((date) => isWeekday(date) && !holidays.has(String(date)));
  const saturdays = dates.filter(({ dayOfWeek }) => dayOfWeek === 6);
  const at = (date: Temporal.PlainDate | undefined, time: string, run: Happening['run']): readonly Happening[] =>
    date === undefined ? [] : [{ at: instantOf(date, time, zone), run }];
  const admin = (act: (admin: Admin) => Promise<void>) => () => asAdmin(options, act);
  const late = working[2];
  // Two days in a row, so that only one night lies between what begins on the first and ends on the second.
  const pairs = working.flatMap((day, index) => {
    const next = working[index + 1];
    return next !== undefined && day.until(next).days === 1 ? [[day, next] as const] : [];
  });
  const [stood, badly] = [pairs[5], pairs[10]];
  return [
    ...options.arrivals.flatMap((objects, week) =>
      week === 0 ? [] : at(working[week * 5], '12:00', () => void cluster.apply(objects)),
    ),
    ...at(
      late,
      '11:20',
      admin((one) => one.setHours(String(late), '08:00-22:30', 'release evening')),
    ),
    ...at(
      saturdays[1],
      '10:00',
      admin((one) => one.keepAwake(2.5 * hourMs)),
    ),
    ...at(
      stood?.[0],
      '15:10',
      admin((one) => one.standDown('nodes are replaced')),
    ),
    ...at(
      stood?.[1],
      '09:40',
      admin((one) => one.endStandDown()),
    ),
    ...at(badly?.[0], '16:30', () => void cluster.apply([releases.bad])),
    ...at(badly?.[1], '09:15', () => void cluster.apply([releases.good])),
    // What is amiss in the fleet now came with the last working day.
    ...at(working.at(-1), '15:00', () => void cluster.apply(fleet)),
  ];
}

/** A demo that is opened at night starts awake all the same. */
async function stayAwake(options: PastOptions, now: number, controller: PastController): Promise<void> {
  const until = now + awakeAtFirstMs;
  if (controller.awakeUntil(until)) return;
  await asAdmin(options, (admin) => admin.keepAwake(until - options.clock.now()));
}

function instantOf(date: Temporal.PlainDate, time: string, timeZone: string): number {
  return date.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds;
}
