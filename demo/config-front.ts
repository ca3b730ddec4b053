import { ConfigMapWatch } from '../src/adapters/cluster/config-map-watch.ts';
import { configMaps } from '../src/domain/names.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { Logger } from '../src/ports/logger.ts';
import type { Random } from '../src/ports/random.ts';
import type { Transport, TransportRequest } from '../src/ports/transport.ts';
import { connectClient } from '../src/service/connect-client.ts';

type Data = Readonly<Record<string, string>>;

export interface ConfigFrontOptions {
  readonly transport: Transport;
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** What `svc-config` holds in front of the cluster, made of what it holds there, if a release is there. */
  dataOf(installed: Data | undefined): Data;
}

export interface ConfigFront {
  readonly transport: Transport;
  stop(): void;
}

/**
 * Answers what is asked about `svc-config` itself, and passes everything else on. The cluster's own is watched, as a process
 * in the cluster watches it, so that an upgrade of the release comes into force here too.
 */
export async function configFront(options: ConfigFrontOptions): Promise<ConfigFront> {
  const { transport, namespace, clock, random, logger, dataOf } = options;
  const access = { transport, clock, random, logger, account: 'svc-demo', requestTimeoutMs: 10_000 };
  const { client } = connectClient(access, { qps: 20, burst: 20 });
  const watch = new ConfigMapWatch({
    client,
    namespace,
    name: configMaps.config,
    onRestored() {},
    clock,
    random,
    logger,
  });
  await watch.start();
  const held = new HeldConfigMap(namespace, dataOf(watch.current()?.data));
  watch.onChange((configMap) => {
    // As in the cluster: without its text the last configuration stays in force, and nobody is left to defaults.
    if (configMap !== undefined) held.set(dataOf(configMap.data));
  });
  const about = `fieldSelector=${encodeURIComponent(`metadata.name=${configMaps.config}`)}`;
  return {
    transport: {
      async send(request) {
        if (!request.path.includes(about)) return transport.send(request);
        return { status: 200, headers: { 'content-type': 'application/json' }, body: held.answer(request) };
      },
    },
    stop: () => watch.stop(),
  };
}

/** One ConfigMap with a version, which can be listed and watched. */
class HeldConfigMap {
  readonly #namespace: string;
  #data: Data;
  #version = 1;
  #change = Promise.withResolvers<void>();

  constructor(namespace: string, data: Data) {
    this.#namespace = namespace;
    this.#data = data;
  }

  set(data: Data): void {
    this.#data = data;
    this.#version++;
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  answer({ path, signal }: TransportRequest): AsyncIterable<string> {
    const query = new URL(path, 'http://front').searchParams;
    if (query.get('watch') !== 'true') return this.#list();
    return this.#watch(query.get('sendInitialEvents') === 'true' ? 0 : Number(query.get('resourceVersion')), signal);
  }

  async *#list(): AsyncGenerator<string> {
    const metadata = { resourceVersion: String(this.#version) };
    yield JSON.stringify({ kind: 'ConfigMapList', apiVersion: 'v1', metadata, items: [this.#object()] });
  }

  /** From the version that is known on, or from the beginning, until it is given up. */
  async *#watch(known: number, signal: AbortSignal | undefined): AsyncGenerator<string> {
    const given = Promise.withResolvers<void>();
    signal?.addEventListener('abort', () => given.resolve(), { once: true });
    for (let told = known; signal?.aborted !== true; ) {
      if (told === this.#version) {
        await Promise.race([this.#change.promise, given.promise]);
        continue;
      }
      yield line(told === 0 ? 'ADDED' : 'MODIFIED', this.#object());
      if (told === 0) yield line('BOOKMARK', this.#bookmark());
      told = this.#version;
    }
  }

  #object() {
    const version = { uid: 'svc-demo', resourceVersion: String(this.#version) };
    const metadata = { name: configMaps.config, namespace: this.#namespace, ...version };
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: this.#data };
  }

  #bookmark() {
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion: String(this.#version), annotations } };
  }
}

function line(type: string, object: unknown): string {
  return `${JSON.stringify({ type, object })}\n`;
}
