import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import type { TransportRequest } from '../../../src/ports/transport.ts';
import { workloadManifest } from '../../support/builders/manifests.ts';
import { levelOf, refOf } from '../oracle/workload-level.ts';
import { isWrite } from '../world/faulty-transport.ts';
import type { LastingFault } from '../world/lasting-faults.ts';
import { releaseNamespace } from '../world/shipped-controller.ts';
import { controllerUser, type SimWorld } from '../world/sim-world.ts';
import type { Actor, Stage } from './actor.ts';
import { putState, spoil } from './trouble.ts';

const minute = 60_000;
const hour = 60 * minute;

/** What goes wrong for hours, or for a night. */
export const lasting: readonly Actor[] = [
  { name: 'a policy refuses a workload', weight: 4, act: policy },
  { name: 'a webhook without a backend', weight: 3, act: webhook },
  { name: 'too many requests', weight: 2, act: tooMany },
  { name: 'a right is taken away', weight: 3, act: takeRight },
  { name: 'a quota', weight: 2, act: quota },
  { name: 'a namespace hangs in termination', weight: 2, act: hangingNamespace },
  { name: 'watches stay silent', weight: 2, act: silence },
  { name: 'the state is full', weight: 1, act: fillState },
  { name: 'a key stays undecodable', weight: 3, act: spoilKey },
  { name: 'a node pool does not come back', weight: 2, act: noNodes },
  { name: 'a second controller', weight: 2, act: twin },
  { name: 'a controller is paused', weight: 3, act: pause },
  { name: 'a write lands late', weight: 4, act: late },
  { name: 'GitOps heals for hours', weight: 3, act: selfHeal },
];

/** Begins it, and ends it some hours later, unless a quiet point does so before. */
function begin(stage: Stage, fault: LastingFault, ms: number): string {
  const { world, later } = stage;
  world.lasting.begin(fault);
  world.met(fault.name);
  if (fault.atNetwork === true) stage.troubleFor(ms + 5 * minute);
  later(ms, `${fault.name} ends`, () => world.lasting.end(fault));
  return `${fault.name} for ${Math.round(ms / minute)} min: ${fault.what}`;
}

const someHours = ({ chance }: Stage) => chance.between(1, 14) * hour;

function pickWorkload({ world, chance }: Stage): KubeObject | undefined {
  const all = world.workloads().filter(({ metadata }) => metadata.namespace !== releaseNamespace);
  return all.length === 0 ? undefined : chance.pick(all);
}

function pathOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  const group = kind === 'CronJob' ? 'batch/v1' : kind === 'Rollout' ? 'argoproj.io/v1alpha1' : 'apps/v1';
  return `/apis/${group}/namespaces/${namespace}/${kind.toLowerCase()}s/${name}`;
}

function policy(stage: Stage): string | undefined {
  const object = pickWorkload(stage);
  if (object === undefined) return undefined;
  const path = pathOf(object);
  const only = stage.chance.pick(['lowering', 'raising', 'everything']);
  const fits = ({ body = '' }: TransportRequest) => {
    const lowers = body.includes('"replicas":0') || body.includes('"suspend":true');
    return only === 'everything' || lowers === (only === 'lowering');
  };
  const message = `admission webhook "policy" denied the request: ${only} is not allowed`;
  const stop = stage.world.faults.hold(
    'a policy refuses a workload',
    (request) => request.method === 'PATCH' && request.path.split('?')[0] === path && fits(request),
    { kind: 'status', status: stage.chance.pick([403, 422]), done: false, message },
  );
  const fault: LastingFault = {
    name: 'a policy refuses a workload',
    what: `${refOf(object)}, ${only}`,
    // By its name, as the policy goes: one that was created again is refused too.
    touches: (one) => refOf(one) === refOf(object),
    stop,
  };
  return begin(stage, fault, someHours(stage));
}

function webhook(stage: Stage): string | undefined {
  const namespace = stage.chance.pick(['shop', 'blog', 'data']);
  const message = 'Internal error occurred: failed calling webhook "guard.example.com": no endpoints available';
  const stop = stage.world.faults.hold(
    'a webhook without a backend',
    ({ method, path }) => method === 'PATCH' && /^\/apis\/(apps|batch)\//.test(path) && path.includes(`/${namespace}/`),
    { kind: 'status', status: 500, done: false, message },
  );
  const touches = (one: KubeObject) => one.metadata.namespace === namespace;
  const fault = { name: 'a webhook without a backend', what: namespace, touches, stop };
  return begin(stage, fault, stage.chance.between(1, 6) * hour);
}

function tooMany(stage: Stage): string {
  const { world, chance } = stage;
  const retryAfterSeconds = chance.between(1, 10);
  const stop = world.faults.hold('too many requests', (request) => isWrite(request), {
    kind: 'status',
    status: 429,
    done: false,
    retryAfterSeconds,
  });
  const fault = { name: 'too many requests', what: `Retry-After ${retryAfterSeconds}`, touches: () => true, stop };
  return begin(stage, fault, chance.between(20, 60) * minute);
}

interface Rule {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** The account keeps its role, and the role lacks a verb. */
function takeRight(stage: Stage): string | undefined {
  const { world, chance } = stage;
  const [resource, role] = chance.pick([
    ['clusterroles.rbac.authorization.k8s.io', 'svc-controller'],
    ['roles.rbac.authorization.k8s.io', 'svc-controller-own'],
  ] as const);
  const home = resource.startsWith('roles') ? releaseNamespace : undefined;
  const before = world.store.get(resource, home, role);
  if (before === undefined || world.lasting.holds('a right is taken away')) return undefined;
  // The store keeps objects of any kind; this is a role.
  const rules = before['rules'] as unknown as readonly Rule[];
  const index = chance.between(0, rules.length - 1);
  const verb = chance.pick(rules[index]!.verbs);
  const less = rules.map((rule, at) =>
    at === index ? { ...rule, verbs: rule.verbs.filter((one) => one !== verb) } : rule,
  );
  put(world, resource, { ...before, rules: less } as KubeObject);
  const stop = () => {
    const now = world.store.get(resource, home, role);
    if (now !== undefined) put(world, resource, { ...now, rules: before['rules'] } as KubeObject);
  };
  const fault = {
    name: 'a right is taken away',
    what: `${verb} ${rules[index]!.resources}`,
    touches: () => true,
    stop,
    atNetwork: true,
  };
  return begin(stage, fault, someHours(stage));
}

function put(world: SimWorld, resource: string, object: KubeObject): void {
  world.store.update(resource, object, { actor: { manager: 'kubectl-edit', operation: 'Update' } });
}

function quota(stage: Stage): string | undefined {
  const { world, chance } = stage;
  const namespace = chance.pick(['shop', 'blog', 'data']);
  if (world.store.get('resourcequotas', namespace, 'tight') !== undefined) return undefined;
  const pods = String(chance.between(0, 2));
  world.cluster.apply([
    { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'tight', namespace }, spec: { hard: { pods } } },
  ]);
  const stop = () => {
    if (world.store.get('resourcequotas', namespace, 'tight') !== undefined) {
      world.store.delete('resourcequotas', namespace, 'tight');
    }
  };
  const fault = { name: 'a quota', what: `${pods} pods in ${namespace}`, touches: () => false, stop };
  return begin(stage, fault, someHours(stage));
}

/** Somebody deletes a namespace, and a finalizer of one of its workloads keeps it. */
function hangingNamespace(stage: Stage): string | undefined {
  const { world, chance } = stage;
  const namespace = `old${chance.between(0, 2)}`;
  if (world.store.get('namespaces', undefined, namespace) !== undefined) return undefined;
  const kind = chance.pick(['Deployment', 'StatefulSet', 'CronJob'] as const);
  const manifest = workloadManifest({ kind, namespace, name: 'kept', replicas: 2 });
  world.cluster.apply([{ ...manifest, metadata: { ...manifest.metadata, finalizers: ['example.com/slow'] } }]);
  stage.later(chance.between(1, 600) * minute, `deletes namespace ${namespace}`, () => {
    world.store.delete('namespaces', undefined, namespace);
  });
  const stop = () => {
    const object = world.workloads().find(({ metadata }) => metadata.namespace === namespace);
    if (object === undefined) return;
    const { finalizers: _, ...metadata } = object.metadata;
    const resource = { Deployment: 'deployments.apps', StatefulSet: 'statefulsets.apps', CronJob: 'cronjobs.batch' };
    put(world, resource[kind], { ...object, metadata } as KubeObject);
  };
  const touches = (one: KubeObject) => one.metadata.namespace === namespace;
  return begin(stage, { name: 'a namespace hangs in termination', what: namespace, touches, stop }, 20 * hour);
}

function silence(stage: Stage): string | undefined {
  const { world, chance } = stage;
  const resource = chance.pick(['deployments.apps', 'statefulsets.apps', 'configmaps', 'namespaces']);
  const mine = (facts: { readonly user: string; readonly resource: string }) =>
    facts.user === controllerUser && facts.resource === resource;
  for (const { stream } of world.cluster.api.faults.openWatches(mine)) stream.mute();
  const stop = world.cluster.api.faults.add({
    match: (facts) => facts.verb === 'watch' && mine(facts),
    effect: { kind: 'watch', mode: 'silent' },
  });
  const end = () => {
    stop();
    for (const { stream } of world.cluster.api.faults.openWatches(mine)) stream.end();
  };
  const fault = { name: 'watches stay silent', what: resource, touches: () => true, stop: end, atNetwork: true };
  return begin(stage, fault, chance.between(20, 90) * minute);
}

/** Past what may be begun, short of what stopping and waking may use. */
function fillState(stage: Stage): string | undefined {
  const { world } = stage;
  const used = Object.values(world.stateData()).reduce((sum, text) => sum + text.length, 0);
  const filler = 917_504 + 2_000 - used;
  if (used === 0 || filler <= 0) return undefined;
  putState(world, (data) => {
    data['notes'] = 'x'.repeat(filler);
  });
  const stop = () =>
    putState(world, (data) => {
      delete data['notes'];
    });
  return begin(
    stage,
    { name: 'the state is full', what: `${filler} bytes`, touches: () => false, stop, holdsSleep: true },
    stage.chance.between(1, 3) * hour,
  );
}

const keys = [
  'external_wake_sessions',
  'database_states',
  'schedule_overrides',
  'outbox',
  'license_check',
  'manual_hibernation',
  'satellites',
  'ignored_resources',
  'autoscaler_protection',
  'stand_down',
  'transition',
  'phase',
];

function spoilKey(stage: Stage): string | undefined {
  const key = stage.chance.pick(keys.filter((one) => stage.world.stateData()[one] !== undefined));
  if (key === undefined) return undefined;
  const repair = spoil(stage.world, key);
  if (repair === undefined) return undefined;
  const fault = { name: 'a key stays undecodable', what: key, touches: () => false, stop: repair, holdsSleep: true };
  return begin(stage, fault, someHours(stage));
}

/** No node takes a pod, and none that comes. */
function noNodes(stage: Stage): string {
  const { world } = stage;
  const cordon = (unschedulable: boolean) => {
    for (const node of world.store.list('nodes')) {
      const spec = { ...(node['spec'] as object), unschedulable };
      world.store.update('nodes', { ...node, spec } as KubeObject);
    }
  };
  cordon(true);
  const stop = () => {
    cordon(false);
  };
  const fault = { name: 'a node pool does not come back', what: 'every node', touches: () => false, stop };
  return begin(stage, fault, stage.chance.between(1, 8) * hour);
}

/** A node that was taken for dead comes back with its controller. */
function twin(stage: Stage): string | undefined {
  const { world, chance } = stage;
  if (!world.alive || world.lasting.holds('a second controller')) return undefined;
  world.start('beside');
  const fault = {
    name: 'a second controller',
    what: 'two at once',
    touches: () => true,
    stop: () => world.killOthers(),
  };
  return begin(stage, fault, chance.between(1, 240) * minute);
}

function pause(stage: Stage): string | undefined {
  const { world, chance } = stage;
  const paused = world.process;
  if (paused === undefined || !paused.alive || paused.life.paused) return undefined;
  paused.life.pause();
  const replaced = chance.happens(0.6);
  if (replaced) world.start('beside');
  const stop = () => {
    paused.life.continue();
    if (replaced) stage.later(chance.between(1, 10) * minute, 'restart without the other', () => world.killOthers());
  };
  const fault = {
    name: 'a controller is paused',
    what: replaced ? 'another takes its place' : 'nobody takes its place',
    touches: () => true,
    stop,
  };
  return begin(stage, fault, chance.between(1, 120) * minute);
}

function late({ world, chance, troubleFor }: Stage): string {
  const ms = chance.between(5, 240) * 1_000;
  const nth = chance.between(1, 8);
  world.faults.arm({ kind: 'late', ms }, 'writes', nth);
  world.met('a write lands late');
  troubleFor(6 * minute);
  return `write ${nth} will land ${ms / 1_000} s late`;
}

/** Whatever is at zero against its owner's wish is raised within a minute or two, again and again. */
function selfHeal(stage: Stage): string | undefined {
  const object = pickWorkload(stage);
  if (object === undefined || stage.world.lasting.holds('GitOps heals for hours')) return undefined;
  const { world, chance } = stage;
  const every = chance.between(30, 180) * 1_000;
  let on = true;
  const resource =
    { Deployment: 'deployments.apps', StatefulSet: 'statefulsets.apps' }[object.kind] ?? 'cronjobs.batch';
  const look = () => {
    if (!on) return;
    const now = world.store.get(resource, object.metadata.namespace, object.metadata.name);
    const wanted = now === undefined ? undefined : world.owners.of(now)?.wanted;
    if (now !== undefined && wanted !== undefined && levelOf(now) === 0 && !wanted.has(0)) {
      const level = Math.max(...wanted);
      const spec = {
        ...(now['spec'] as object),
        ...(now.kind === 'CronJob' ? { suspend: false } : { replicas: level }),
      };
      world.trace.note(`GitOps raises ${refOf(now)} to ${level}`);
      world.store.update(resource, { ...now, spec }, { actor: { manager: 'argocd-controller', operation: 'Update' } });
    }
    world.clock.after(every, look);
  };
  look();
  const stop = () => {
    on = false;
  };
  const touches = (one: KubeObject) => refOf(one) === refOf(object);
  const fault = { name: 'GitOps heals for hours', what: refOf(object), touches, stop };
  return begin(stage, fault, someHours(stage));
}
