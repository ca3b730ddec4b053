import { describe, expect, it } from 'vitest';
import { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import type { Transport } from '../ports/transport.ts';
import { runCli } from './cli.ts';
import { connectToCluster } from './connection/cluster-connection.ts';

const refusal = 'invalid configuration: ';

/** A command on a cluster whose svc-config holds what no process would start with. */
async function run(command: string) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 11));
  const cluster = new EmbeddedCluster({ clock, random: seededRandom(1), events: 'none' });
  const config = { clusterName: 'test', externalUrl: 'https://svc.example.com', workingHours: { timezone: 'Mars' } };
  cluster.apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'svc' } },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'svc-config', namespace: 'svc' },
      data: { 'config.yaml': JSON.stringify(config) },
    },
  ]);
  cluster.start();
  const inner = cluster.transport({ user: 'kubernetes-admin', groups: ['system:masters'] });
  const watches: (AbortSignal | undefined)[] = [];
  const transport: Transport = {
    async send(request) {
      const answer = await inner.send(request);
      // A kind that the cluster does not have is not watched.
      if (request.path.includes('watch=true') && answer.status === 200) watches.push(request.signal);
      return answer;
    },
  };
  const said = { out: '', err: '' };
  let ended = false;
  const running = runCli({
    args: [command],
    env: {},
    clock,
    version: '1.2.3',
    terminal: {
      out(text) {
        said.out += text;
      },
      err(text) {
        said.err += text;
      },
    },
    connect: () =>
      connectToCluster({
        transport,
        clock,
        random: seededRandom(2),
        namespace: 'svc',
        where: 'embedded',
        warn(text) {
          said.err += text;
        },
      }),
  }).finally(() => {
    ended = true;
  });
  while (!ended) await clock.advance(100);
  const code = await running;
  await clock.advance(60_000);
  return { code, ...said, open: watches.filter((signal) => !signal?.aborted).length, watched: watches.length };
}

describe('svc with a kubeconfig, when the configuration is refused', () => {
  it('status goes on with what can be read, says so, and leaves no watch open, which would keep the process from ending', async () => {
    const ran = await run('status');
    expect([ran.code, ran.open]).toEqual([0, 0]);
    expect(ran.out).toContain('Awake');
    expect(ran.watched).toBeGreaterThan(0);
    expect(ran.err).toMatch(new RegExp(`^${refusal}.*workingHours.timezone`));
  });

  it('doctor shows the row that failed, and the page that helps', async () => {
    const ran = await run('doctor');
    expect([ran.code, ran.open]).toEqual([1, 0]);
    const lines = ran.out.trimEnd().split('\n');
    expect(lines.find((line) => line.startsWith('failed'))).toMatch(
      new RegExp(`^failed +configuration +${refusal}.*workingHours.timezone`),
    );
    expect(lines.at(-1)).toBe('configuration: see docs/monitoring.md#a-configuration-that-is-refused');
  });
});
