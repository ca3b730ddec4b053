import type { WakeTarget } from '../../../src/state/external-wake-sessions.ts';
import type { Actor, Stage } from './actor.ts';
import { clearKey, corruptKey } from './trouble.ts';

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
  const body = { duration: `${hours}h`, ...(resources.length === 0 ? {} : { resources }) };
  const { status } = await world.api.asCluster('externalWake', { body });
  return `another cluster needs ${resources.length === 0 ? 'everything' : JSON.stringify(resources)} for ${hours} h (${status})`;
}

async function end({ world }: Stage): Promise<string> {
  const { status, body } = await world.api.asCluster('endExternalWake');
  return `another cluster needs nothing more (${status}, ${body['ended']} ended)`;
}

function namespaceOf({ chance }: Stage): string {
  return chance.pick(['shop', 'blog', 'data']);
}

function workload(stage: Stage): WakeTarget {
  const type = stage.chance.pick(['Deployment', 'StatefulSet', 'CronJob']);
  const name = `${type.slice(0, 1).toLowerCase()}${stage.chance.between(0, 3)}`;
  return { namespace: namespaceOf(stage), type, name };
}
