import type { WakeTarget } from '../../../src/state/external-wake-sessions.ts';
import type { Actor, Stage } from './actor.ts';
import { endExternalWakeIntent, externalWakeIntent } from './state-intents.ts';
import { clearKey, corruptKey } from './trouble.ts';

const hour = 3_600_000;

/** What clusters do that depend on this one. */
export const dependents: readonly Actor[] = [
  { name: 'needs the whole cluster', weight: 3, act: (stage) => need(stage, []) },
  { name: 'needs a namespace', weight: 3, act: (stage) => need(stage, [{ namespace: namespaceOf(stage) }]) },
  { name: 'needs a workload', weight: 4, act: (stage) => need(stage, [workload(stage), workload(stage)]) },
  { name: 'needs it no more', weight: 3, act: end },
  { name: 'loses its sessions', weight: 1, act: ({ world }) => clearKey(world, 'external_wake_sessions') },
  { name: 'corrupts its sessions', weight: 1, act: (stage) => corruptKey(stage, 'external_wake_sessions') },
];

async function need({ world, chance }: Stage, resources: readonly WakeTarget[]): Promise<string> {
  const hours = chance.between(1, 8);
  const done = await externalWakeIntent(world, 'hub', resources, hours * hour);
  return `another cluster needs ${resources.length === 0 ? 'everything' : JSON.stringify(resources)} for ${hours} h${done ? '' : ' (refused)'}`;
}

async function end({ world }: Stage): Promise<string> {
  return `another cluster needs nothing more${(await endExternalWakeIntent(world)) ? '' : ' (nothing)'}`;
}

function namespaceOf({ chance }: Stage): string {
  return chance.pick(['shop', 'blog', 'data']);
}

function workload(stage: Stage): WakeTarget {
  const type = stage.chance.pick(['Deployment', 'StatefulSet', 'CronJob']);
  const name = `${type.slice(0, 1).toLowerCase()}${stage.chance.between(0, 3)}`;
  return { namespace: namespaceOf(stage), type, name };
}
