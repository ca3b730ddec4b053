import { stringify } from 'yaml';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { RequestFacts } from '../../../embedded-cluster/faults.ts';
import { formatLicense, type License, licensePayload } from '../../../src/domain/license/license.ts';
import { configMaps, annotations as marks } from '../../../src/domain/names.ts';
import type { EventKey } from '../../../src/domain/notification/event-keys.ts';
import { signLicense } from '../../../src/platform/license-keys.ts';
import type { Cards } from '../harness/cards.ts';
import { namespace } from '../harness/chart-release.ts';
import { deployment } from '../harness/manifests.ts';
import type { Config } from '../harness/merged.ts';
import type { Outside } from '../harness/outside.ts';
import { signedWake } from '../harness/signed-wake.ts';
import { transitionTimeoutMs, until } from '../harness/until.ts';
import type { WiredService } from '../harness/wired-service.ts';
import type { Moment, SentCard } from '../tables/evidence.ts';

export const admin = 'ada@example.com';
const day = 86_400_000;

export interface Round {
  readonly service: WiredService;
  readonly cards: Cards;
  readonly moment: Moment;
  /** The private half of the key that these bundles have built in. */
  readonly licenseKey: string;
  /** The configuration before the one of this round. */
  readonly configBefore: Config;
}

function payloadFor(days?: number) {
  const now = Date.now();
  const license: License = {
    id: `days-${days ?? 'all'}`,
    licensee: 'the tests',
    issuedAt: now - day,
    ...(days === undefined ? {} : { expiresAt: now + days * day }),
  };
  return licensePayload(license);
}

/** A license that ends in so many days, or never. */
export function licenseFor(privateKey: string, days?: number): string {
  const payload = payloadFor(days);
  return formatLicense({ payload, signature: signLicense(privateKey, payload) });
}

/** One that carries the signature of another. */
function forgedLicense(privateKey: string): string {
  return formatLicense({ payload: payloadFor(300), signature: signLicense(privateKey, payloadFor(200)) });
}

/** One thing that is done, and the events that come of it. */
interface Step {
  readonly how: string;
  readonly keys: readonly EventKey[];
  /** What is told may have been told before the step. */
  readonly before?: true;
  run(round: Round): Promise<void>;
  /** Puts things right again, after the cards have come. */
  after?(round: Round): Promise<void>;
}

const configMap = (name: string, data: Readonly<Record<string, string>>): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});

interface Stored extends Manifest {
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

const stored = ({ cluster }: WiredService, resource: string, where: string, name: string): Stored =>
  // What is stored was applied by these tests or written by the service, in this shape.
  cluster.store.get(resource, where, name) as unknown as Stored;

const setLicense = ({ service }: Round, text: string) =>
  service.cluster.apply([configMap(configMaps.license, { license: text })]);

/** Waits for a transition to end, whatever came of it. */
async function transition(round: Round, ending: string, begin: () => Promise<unknown>): Promise<void> {
  const from = round.service.log.controller.length;
  await begin();
  await round.service.says('controller', ({ msg }) => msg === ending, from, transitionTimeoutMs);
}

const hibernate = (round: Round) =>
  transition(round, 'Hibernation finished', async () =>
    (await round.service.as(admin)).triggerHibernation({ body: {} }),
  );
export const wake = (round: Round) =>
  transition(round, 'Wake finished', async () => (await round.service.as(admin)).wakeUp({ body: { duration: '1h' } }));

let disarm: () => void = () => {};

/** Whether the cloud refuses to stop the database that is named so. */
export const cloud = { refuses: false };

/** Where `AWS_ENDPOINT_URL` sends the calls about costs and their statistics. */
export const costHost = 'aws.test';

/** A parameter store whose statistics nearly fill their parameter, and a cost explorer that may not be asked. */
export function answerFullParameter(outside: Outside): void {
  outside.host(costHost, ({ headers }, response) => {
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    if (String(headers['x-amz-target']).endsWith('.GetParameter')) {
      return response.end(JSON.stringify({ Parameter: { Name: 'statistics', Value: 'x'.repeat(3_700) } }));
    }
    response.statusCode = 400;
    return response.end(JSON.stringify({ __type: 'AccessDeniedException', message: 'no' }));
  });
}

const replicasOf = (service: WiredService, where: string, name: string) =>
  (stored(service, 'deployments.apps', where, name).spec as { readonly replicas: number }).replicas;

/** Writes the count that a sleeping workload is to come back with. */
function annotate(service: WiredService, where: string, name: string, count: string): void {
  const workload = stored(service, 'deployments.apps', where, name);
  const annotations = { ...(workload.metadata['annotations'] as object), [marks.hibernatedReplicas]: count };
  service.cluster.apply([{ ...workload, metadata: { ...workload.metadata, annotations } }]);
}

const steps: readonly Step[] = [
  {
    how: 'a license that ends in ten days',
    keys: ['licenseExpiring'],
    async run(round) {
      setLicense(round, licenseFor(round.licenseKey, 10));
    },
    async after(round) {
      setLicense(round, licenseFor(round.licenseKey, 300));
    },
  },
  {
    how: 'a hosting cluster that does not answer',
    keys: ['externalDependencyUnreachable'],
    // The configuration of the round names it, so it was asked before any step.
    before: true,
    run: async () => {},
  },
  {
    how: 'a hibernation in which the cluster refuses one workload and the cloud one database',
    keys: ['hibernationFailed', 'workloadWillNotScale', 'databaseStopped'],
    async run(round) {
      cloud.refuses = true;
      disarm = round.service.cluster.api.faults.add({
        match: ({ verb, namespace: where }) => verb === 'patch' && where === 'broken',
        effect: { kind: 'fail', status: 422, message: 'the workload is frozen' },
      });
      await hibernate(round);
    },
    async after({ service }) {
      cloud.refuses = false;
      disarm();
      service.cluster.store.delete('deployments.apps', 'broken', 'w');
    },
  },
  {
    how: 'a workload that is created while the cluster sleeps',
    keys: ['resourceAdded'],
    async run({ service }) {
      service.cluster.apply([deployment('shop/late')]);
      await until('it sleeps', () => replicasOf(service, 'shop', 'late') === 0);
    },
  },
  {
    how: 'a workload that is deleted while the cluster sleeps',
    keys: ['resourceRemoved'],
    async run({ service }) {
      service.cluster.store.delete('deployments.apps', 'shop', 'late');
    },
  },
  {
    how: 'a workload that its owner scales up while the cluster sleeps',
    keys: ['unexpectedReplicaChange'],
    async run({ service }) {
      const cart = stored(service, 'deployments.apps', 'shop', 'cart');
      service.cluster.apply([{ ...cart, spec: { ...cart.spec, replicas: 2 } }]);
    },
  },
  {
    how: 'an annotation that says another count than the record',
    keys: ['stateMismatch'],
    async run({ service }) {
      annotate(service, 'shop', 'other', '3');
    },
    // A wake would tell of it at once, whatever the confirmation window says.
    async after({ service }) {
      annotate(service, 'shop', 'other', '1');
    },
  },
  {
    how: 'a wake with a slow tier and a workload that never gets ready',
    keys: ['wakeStarted', 'wakeBarrierTimeout', 'wakeFailed'],
    run: wake,
    async after({ service }) {
      service.cluster.store.delete('deployments.apps', 'shop', 'never');
    },
  },
  {
    how: 'a hibernation in which nothing goes wrong',
    keys: ['hibernationComplete'],
    run: hibernate,
  },
  {
    how: 'a wake in which nothing goes wrong',
    keys: ['wakeComplete'],
    run: wake,
  },
  {
    how: 'a controller that was down over an edge of the schedule',
    keys: ['catchUp'],
    async run({ service, moment, configBefore }) {
      const { config } = service;
      await service.life('controller').kill();
      await (await service.as(admin)).resumeSchedule();
      if (moment === 'start') return service.start('controller');
      // Its first pass has to wait for the reload.
      const matches = ({ user, verb, name }: RequestFacts) =>
        user.endsWith(':svc-controller') && verb === 'get' && name === configMaps.state;
      const free = service.cluster.api.faults.add({ match: matches, effect: { kind: 'fail', status: 500 } });
      service.writeConfig(stringify(configBefore));
      await service.start('controller');
      await service.reload(config);
      free();
    },
  },
  {
    how: 'other hours for a date',
    keys: ['scheduleOverride'],
    async run({ service }) {
      const date = new Date(Date.now() + 30 * day).toISOString().slice(0, 10);
      const client = await service.as(admin);
      await client.setScheduleOverride({ params: { date }, body: { hours: 'on' } });
    },
  },
  {
    how: 'a stand-down and its end',
    keys: ['standDown'],
    async run({ service }) {
      const client = await service.as(admin);
      await client.standDown({ body: {} });
      await service.says('controller', ({ msg }) => msg.startsWith('Stood down:'));
      await client.endStandDown();
    },
  },
  {
    how: 'a wake request of another cluster that is renewed and runs out',
    keys: ['externalWakeStarted', 'externalWakeRenewed', 'externalWakeExpired'],
    async run({ service }) {
      const ask = (duration: string) =>
        signedWake({
          apiUrl: service.apiUrl,
          ownUrl: 'https://svc.example.com',
          cluster: 'branch',
          key: 'keys-a-one-'.padEnd(40, '0123456789'),
          body: { duration },
        });
      for (const duration of ['2s', '4s']) {
        const { status } = await ask(duration);
        if (status !== 200) throw new Error(`The wake request was answered with ${status}.`);
      }
    },
  },
  {
    how: 'a state of more than 800 KiB',
    keys: ['stateSize'],
    async run({ service }) {
      const state = stored(service, 'configmaps', namespace, configMaps.state);
      service.cluster.apply([configMap(configMaps.state, { ...state.data, padding: 'x'.repeat(830_000) })]);
    },
    async after({ service }) {
      const state = stored(service, 'configmaps', namespace, configMaps.state);
      const { padding: _padding, ...rest } = state.data ?? {};
      service.cluster.apply([configMap(configMaps.state, rest)]);
    },
  },
  {
    how: 'cost statistics that nearly fill their parameter',
    keys: ['parameterStoreSize'],
    async run({ service }) {
      await service.reload({ ...service.config, awsCosts: { enabled: true, tagValue: 'wired' } });
    },
    async after({ service }) {
      const { awsCosts: _costs, ...rest } = service.config;
      await service.reload(rest);
    },
  },
  {
    how: 'a changed configuration with working hours that cannot be read and a port that is none',
    keys: ['configReloadFailed', 'scheduleUnparseable'],
    async run({ service }) {
      const workingHours = { schedule: { monday: '8:00-20:00' } };
      service.writeConfig(stringify({ ...service.config, workingHours, smtp: { port: 0 } }));
    },
    async after({ service }) {
      const from = service.log.controller.length;
      service.writeConfig(stringify(service.config));
      await service.says('controller', ({ msg }) => msg === 'The configuration is good again', from);
    },
  },
  {
    how: 'ConfigMaps that the controller can no longer read',
    keys: ['licenseUnverified'],
    async run(round) {
      const { faults } = round.service.cluster.api;
      const matches = ({ user, verb, resource }: RequestFacts) =>
        user.endsWith(':svc-controller') && resource === 'configmaps' && (verb === 'list' || verb === 'watch');
      // Whoever knows a license goes by it, also while it cannot be read; with the built-in one, which never ends, nobody can tell.
      round.service.cluster.store.delete('configmaps', namespace, configMaps.license);
      await until('the built-in license counts', async () =>
        (await round.service.metrics('controller')).includes('svc_license_expiry_timestamp_seconds 0\n'),
      );
      disarm = faults.add({ match: matches, effect: { kind: 'fail', status: 500 } });
      for (const { stream } of faults.openWatches(matches)) stream.fail(new Error('the connection is gone'));
      // Nothing else of the cluster gives a reason for a pass.
      await until(
        'it is seen',
        () => {
          round.service.cluster.apply([
            deployment('shop/nudge', { labels: { at: String(Math.round(performance.now())) } }),
          ]);
          return round.cards.heard().has('licenseUnverified');
        },
        10_000,
      );
    },
    async after(round) {
      disarm();
      setLicense(round, licenseFor(round.licenseKey, 300));
    },
  },
  {
    how: 'a license whose signature is not good',
    keys: ['licenseNotActing'],
    async run(round) {
      setLicense(round, forgedLicense(round.licenseKey));
    },
    async after(round) {
      setLicense(round, licenseFor(round.licenseKey, 300));
    },
  },
];

/** Does everything there is to be told of, once; answers what was sent after what, and what was not sent. */
export async function raiseEverything(
  round: Round,
): Promise<{ readonly sent: readonly SentCard[]; readonly failures: readonly string[] }> {
  const { cards, service } = round;
  const sent: SentCard[] = [];
  const failures: string[] = [];
  for (const { how, keys, before, run, after } of steps) {
    const from = before === true ? 0 : cards.count;
    const missing = () => keys.filter((key) => !cards.heard(from).has(key));
    try {
      await run(round);
      await until(
        () => `cards of ${missing().join(', ')} after ${how}; ${service.lastWords('controller')}`,
        () => missing().length === 0,
        12_000,
      );
    } catch (error) {
      failures.push(String(error));
    }
    sent.push(...keys.filter((key) => !missing().includes(key)).map((key) => ({ key, how })));
    await after?.(round);
  }
  return { sent, failures };
}
