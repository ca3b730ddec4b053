import type { Row } from '../harness/rows.ts';
import { admin } from './sign-in.ts';

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** Other hours for each day, so that a day that took those of another would be seen. */
const hoursOf = (first: number, index: number) =>
  `${String(first + index).padStart(2, '0')}:00-${first + index + 5}:30`;
const scheduleFrom = (first: number) => Object.fromEntries(weekdays.map((day, index) => [day, hoursOf(first, index)]));

const zoneOf = { start: 'Asia/Tokyo', reload: 'America/New_York' } as const;
const firstHour = { start: 5, reload: 8 } as const;

export const scheduleRows: readonly Row[] = [
  {
    keys: {
      'workingHours.timezone': zoneOf,
      ...Object.fromEntries(
        weekdays.map((day, index) => [
          `workingHours.schedule.${day}`,
          { start: hoursOf(firstHour.start, index), reload: hoursOf(firstHour.reload, index) },
        ]),
      ),
    },
    in: 'api',
    seen: 'the instants at which the plan of the coming week wakes the cluster and lets it sleep',
    start: { workingHours: { timezone: zoneOf.start, schedule: scheduleFrom(firstHour.start) } },
    reload: { workingHours: { timezone: zoneOf.reload, schedule: scheduleFrom(firstHour.reload) } },
    async see({ service }) {
      const client = await service.as(admin);
      const { plan } = await client.schedule({ query: { days: 9 } });
      const { timezone } = await client.hibernationStatus();
      const shown = (instant: string) => {
        const at = Temporal.Instant.from(instant).toZonedDateTimeISO(timezone);
        return { day: weekdays[at.dayOfWeek - 1]!, time: at.toPlainTime().toString({ smallestUnit: 'minute' }) };
      };
      // The first and the last band may be cut by the plan.
      const bands = plan.bands.filter(({ awake, from, to }) => awake && from !== plan.from && to !== plan.to);
      const found = new Map(bands.map(({ from, to }) => [shown(from).day, `${shown(from).time}-${shown(to).time}`]));
      return {
        'workingHours.timezone': timezone,
        ...Object.fromEntries(weekdays.map((day) => [`workingHours.schedule.${day}`, found.get(day)])),
      };
    },
  },
];
