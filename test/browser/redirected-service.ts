import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { satelliteLabel, satelliteRef } from '../../src/domain/redirect/marks.ts';
import { silentLogger } from '../../src/platform/silent-logger.ts';
import { optionsFrom, type RunningSatellite, startSatellite } from '../../src/satellite/main.ts';
import type { Stack } from './stack.ts';

interface Place {
  readonly namespace: string;
  readonly name: string;
}

interface SatelliteObject {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly { readonly env: readonly { name: string; value: string }[] }[] };
    };
  };
}

/**
 * What a cluster's network does for a Service: sends callers to whatever its selector names. The satellite behind it is the
 * real one, started with the environment that the controller gave its Deployment.
 */
export class RedirectedService {
  readonly #stack: Stack;
  readonly #place: Place;
  readonly #server: Server;
  #satellite: Promise<RunningSatellite> | undefined;

  constructor(stack: Stack, place: Place) {
    this.#stack = stack;
    this.#place = place;
    this.#server = createServer((incoming, outgoing) => {
      const url = incoming.url ?? '/';
      if (this.#isRedirected()) void this.#pass(url, incoming.headers, outgoing);
      else if (this.#isReady(place))
        outgoing
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<title>Shop</title><h1>Shop ${url.replaceAll('&', '&amp;')}</h1>`);
      else outgoing.destroy();
    });
  }

  start(): Promise<number> {
    return new Promise((resolve) =>
      this.#server.listen(0, () => resolve((this.#server.address() as AddressInfo).port)),
    );
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await (await this.#satellite)?.stop();
  }

  #isRedirected(): boolean {
    const { namespace, name } = this.#place;
    const service = this.#stack.cluster.store.get('services', namespace, name) as
      | { readonly spec?: { readonly selector?: Readonly<Record<string, string>> } }
      | undefined;
    return service?.spec?.selector?.[satelliteLabel] === name && this.#isReady(satelliteRef(this.#place));
  }

  #isReady({ namespace, name }: Place): boolean {
    const found = this.#stack.cluster.store.get('deployments.apps', namespace, name) as
      | { readonly status?: { readonly readyReplicas?: number } }
      | undefined;
    return (found?.status?.readyReplicas ?? 0) > 0;
  }

  async #pass(path: string, headers: NodeJS.Dict<string | string[]>, outgoing: ServerResponse): Promise<void> {
    this.#satellite ??= this.#startSatellite();
    const { ports } = await this.#satellite;
    const passed = request({ host: '127.0.0.1', port: ports[0], path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    passed.end();
  }

  #startSatellite(): Promise<RunningSatellite> {
    const { namespace, name } = satelliteRef(this.#place);
    // The store keeps objects of any kind; this one is a satellite.
    const object = this.#stack.cluster.store.get('deployments.apps', namespace, name) as unknown as SatelliteObject;
    const variables = object.spec.template.spec.containers[0]?.env ?? [];
    const env = Object.fromEntries(variables.map((variable) => [variable.name, variable.value]));
    const options = { ...optionsFrom(env), ports: [0], host: '127.0.0.1' };
    return startSatellite({ ...options, clock: this.#stack.clock, logger: silentLogger });
  }
}
