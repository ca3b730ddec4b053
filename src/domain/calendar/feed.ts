import type { EpochMs } from '../workload.ts';
import type { CalendarEvent } from './icalendar.ts';

/** A stretch of what was planned and what will be, as the calendar page draws it. */
export interface FeedBand {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly awake: boolean;
  readonly source: 'schedule' | 'override' | 'holiday' | 'act' | 'cluster' | 'stop';
  readonly label: string;
}

export interface FeedDay {
  readonly date: string;
  readonly hours: string;
  readonly source: 'schedule' | 'override' | 'holiday';
  readonly label: string;
  readonly holidays: readonly { readonly name: string; readonly region: string }[];
  readonly clockChange?: { readonly text: string };
}

export interface FeedInput {
  readonly clusterName: string;
  /** In order; those that touch and say the same are one. */
  readonly bands: readonly FeedBand[];
  readonly days: readonly FeedDay[];
}

/** The nights, what keeps the cluster from them, and the dates that are not like their weekday. */
export function feedEvents({ clusterName, bands, days }: FeedInput): readonly CalendarEvent[] {
  const of = (kind: string, key: string) => `${kind}-${key}@${clusterName}.svc`;
  const today = days[0]?.date;
  return [
    ...joined(bands).flatMap((band): readonly CalendarEvent[] => {
      const { from, to, label } = band;
      if (!band.awake) {
        return [
          {
            uid: of('asleep', String(from)),
            summary: `${clusterName} hibernated`,
            description: label,
            when: { from, to },
          },
        ];
      }
      if (band.source === 'stop' && today !== undefined) {
        // Nobody knows when it ends, so only today is said.
        const summary = `${clusterName} is not scaled`;
        return [{ uid: of('stop', today), summary, description: label, when: { date: today } }];
      }
      if (band.source !== 'act' && band.source !== 'cluster') return [];
      const summary = `${clusterName} kept awake`;
      return [{ uid: of('awake', String(from)), summary, description: label, when: { from, to } }];
    }),
    ...days.flatMap(({ date, hours, source, label, holidays, clockChange }): readonly CalendarEvent[] => [
      ...holidays.map(({ name, region }) => ({
        uid: of('holiday', `${date}-${region}`),
        summary: `${name} (${region})`,
        description:
          source === 'holiday' ? `${clusterName} stays hibernated.` : `${clusterName} keeps its hours: ${hours}.`,
        when: { date },
      })),
      ...(source === 'override'
        ? [
            {
              uid: of('hours', date),
              summary: `${clusterName} has other hours: ${hours}`,
              description: label,
              when: { date },
            },
          ]
        : []),
      ...(clockChange === undefined ? [] : [{ uid: of('clocks', date), summary: clockChange.text, when: { date } }]),
    ]),
  ];
}

function joined(bands: readonly FeedBand[]): readonly FeedBand[] {
  const all: FeedBand[] = [];
  for (const band of bands) {
    const last = all.at(-1);
    const same = last !== undefined && last.to === band.from && last.awake === band.awake && last.label === band.label;
    if (same) all[all.length - 1] = { ...last, to: band.to };
    else all.push(band);
  }
  return all;
}
