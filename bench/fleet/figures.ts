/** Which part of the fleet. */
export const groups = ['plain', 'KEDA', 'Rollouts', 'GitOps', 'operators'] as const;
export type Group = (typeof groups)[number];

export interface GroupNight {
  readonly group: Group;
  readonly workloads: number;
  /** Down before the night was a quarter of an hour old. */
  readonly down: number;
  /** Names of those that were raised before the morning, by whomever. */
  readonly raised: readonly string[];
  /** Up in the morning with the count of the evening; with KEDA, one between the least and the most of its ScaledObject. */
  readonly up: number;
}

export interface FleetNight {
  readonly groups: readonly GroupNight[];
  /** Objects of the fleet and its neighbours, and those whose spec, labels or annotations differ from the evening, with where. */
  readonly objects: number;
  readonly differing: readonly string[];
  /** How often each neighbour looked at an object of its own in the night. */
  readonly reconciles: ReadonlyMap<string, number>;
  /** What the controller asked the cluster for. */
  readonly calls: { readonly evening: number; readonly night: number; readonly morning: number };
  /** Writes to workloads, and how many there have to be: one each evening, one each morning. */
  readonly writes: number;
  readonly writesDue: number;
}

/** A pass an hour and what goes with it; more would be somebody who looks again and again. */
const mostNightCalls = 1_000;

interface Judged {
  readonly words: string;
  readonly pass: boolean;
}

export function report(night: FleetNight): { readonly figure: string; readonly pass: boolean } {
  for (const { group, workloads, down, raised, up } of night.groups) {
    console.log(
      `  ${group}: ${down} of ${workloads} hibernated, ${raised.length} raised in the night, ${up} woken as they were`,
    );
    for (const one of raised.slice(0, 3)) console.log(`    raised: ${one}`);
  }
  for (const one of night.differing.slice(0, 5)) console.log(`  differs: ${one}`);
  const looked = [...night.reconciles].map(([name, count]) => `${name} ${count}`).join(', ');
  console.log(`  reconciled in the night: ${looked}`);
  const { evening, night: calls, morning } = night.calls;
  console.log(`  calls: ${evening} in the evening, ${calls} in the night, ${morning} in the morning`);
  const judged = [down(night), raisedOf(night), woken(night), alike(night), callsOf(night), awake(night)];
  return { figure: judged.map(({ words }) => words).join('; '), pass: judged.every(({ pass }) => pass) };
}

function sum(night: FleetNight, of: (one: GroupNight) => number): number {
  return night.groups.reduce((total, one) => total + of(one), 0);
}

function down(night: FleetNight): Judged {
  const [is, all] = [sum(night, (one) => one.down), sum(night, (one) => one.workloads)];
  return { words: `${is} of ${all} hibernated`, pass: all > 0 && is === all };
}

function raisedOf(night: FleetNight): Judged {
  const raised = sum(night, (one) => one.raised.length);
  return { words: raised === 0 ? 'none raised in 12 hours' : `${raised} RAISED in the night`, pass: raised === 0 };
}

function woken(night: FleetNight): Judged {
  const [is, all] = [sum(night, (one) => one.up), sum(night, (one) => one.workloads)];
  return { words: `${is} of ${all} woken with their counts`, pass: is === all };
}

function alike({ objects, differing }: FleetNight): Judged {
  const words = differing.length === 0 ? `${objects} objects as before` : `${differing.length} objects DIFFER`;
  return { words, pass: objects > 0 && differing.length === 0 };
}

function callsOf({ calls, writes, writesDue }: FleetNight): Judged {
  const words = `${writes} writes to workloads (due ${writesDue}), ${calls.night} calls in the night (goal ${mostNightCalls})`;
  return { words, pass: writes === writesDue && calls.night <= mostNightCalls };
}

/** A neighbour that did not look would have raised nothing in any case. */
function awake({ reconciles }: FleetNight): Judged {
  const asleep = [...reconciles].filter(([, count]) => count === 0).map(([name]) => name);
  const words = asleep.length === 0 ? 'all neighbours at work' : `AT REST: ${asleep.join(', ')}`;
  return { words, pass: reconciles.size > 0 && asleep.length === 0 };
}
