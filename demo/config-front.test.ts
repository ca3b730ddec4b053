import { describe, expect, it } from 'vitest';
import { ConfigMapWatch } from '../src/adapters/cluster/config-map-watch.ts';
import { KubeClient } from '../src/adapters/kubernetes/client/kube-client.ts';
import { resources } from '../src/adapters/kubernetes/client/resource-type.ts';
import { TokenBucket } from '../src/adapters/kubernetes/client/token-bucket.ts';
import { silentLogger } from '../src/platform/silent-logger.ts';
import { embeddedClient } from '../test/support/embedded-client.ts';
import { configFront } from './config-front.ts';
import { inFront } from './real-cluster.ts';

const namespace = 'svc';
const name = 'svc-config';

/** A process that watches `svc-config` through the front, as api and controller do. */
async function world() {
  const { api, client, clock, random } = await embeddedClient(namespace);
  const ports = { clock, random, logger: silentLogger };
  const dataOf = (installed: Readonly<Record<string, string>> | undefined) => ({
    'config.yaml': `in front of ${installed?.['config.yaml'] ?? 'nothing'}`,
    ...(installed?.['branding.yaml'] === undefined ? {} : { 'branding.yaml': installed['branding.yaml'] }),
  });
  const start = async () => {
    const front = await configFront({ transport: api.transport(), namespace, ...ports, dataOf });
    const through = new KubeClient({
      transport: front.transport,
      ...ports,
      limiter: new TokenBucket(clock, { qps: 100, burst: 100 }),
      userAgent: 'test',
      fieldManager: 'test',
      requestTimeoutMs: 1_000,
    });
    const watch = await new ConfigMapWatch({ client: through, namespace, name, onRestored() {}, ...ports }).start();
    const next = () =>
      new Promise<unknown>((resolve) => {
        const end = watch.onChange((configMap) => {
          end();
          resolve(configMap?.data);
        });
      });
    return { watch, next };
  };
  const write = (data: Record<string, string>) =>
    client.create(resources.configMaps, namespace, { metadata: { name }, data });
  const patch = (data: Record<string, string>) =>
    client.patch(resources.configMaps, { namespace, name }, { type: 'merge', body: { data } });
  const remove = () => client.delete(resources.configMaps, { namespace, name });
  return { start, write, patch, remove };
}

describe('the configuration in front of a real cluster', () => {
  it('follows that of the release: a change, the brand too; without its text the last one stays in force', async () => {
    const { start, write, patch, remove } = await world();
    await write({ 'config.yaml': 'one' });
    const { watch, next } = await start();
    expect(watch.current()?.data).toEqual({ 'config.yaml': 'in front of one' });
    let heard = next();
    await patch({ 'config.yaml': 'two', 'branding.yaml': 'name: Acme' });
    expect(await heard).toEqual({ 'config.yaml': 'in front of two', 'branding.yaml': 'name: Acme' });
    heard = next();
    await remove();
    await write({ 'config.yaml': 'three' });
    expect(await heard).toEqual({ 'config.yaml': 'in front of three' });
  });

  it('stands there when the cluster has no release', async () => {
    const { start } = await world();
    const { watch } = await start();
    expect(watch.current()?.data).toEqual({ 'config.yaml': 'in front of nothing' });
  });

  it('passes on what is refused, so that the refusal names the place in the text of the release', () => {
    const configOf = () => ({ operations: { dryRun: true } });
    const good = 'clusterName: one\nexternalUrl: https://svc.example.com\n';
    for (const text of ['operations: [', '- 1', '', `${good}operations:\n\n  logLevel: loud\n`]) {
      expect(inFront(text, configOf)).toBe(text);
    }
    expect(inFront(good, configOf)).toBe('operations:\n  dryRun: true\n');
  });
});
