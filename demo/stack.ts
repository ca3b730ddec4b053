import { randomBytes } from 'node:crypto';
import { internalFrames } from '../src/adapters/internal-frames/internal-frames.ts';
import { HttpClient } from '../src/adapters/outbound/http-client.ts';
import { startApi } from '../src/api/main.ts';
import { apiFeatures } from '../src/api/main-features.ts';
import { startController } from '../src/controller/main.ts';
import { controllerFeatures } from '../src/controller/main-features.ts';
import { createLogger } from '../src/platform/logger.ts';
import { cryptographicRandom } from '../src/platform/random.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { LogLevel } from '../src/ports/logger.ts';
import type { FrameSink } from '../src/ports/sinks.ts';
import type { Transport } from '../src/ports/transport.ts';
import { shippedAuthority } from '../src/service/license-source.ts';
import { serveInbox } from './inbox-page.ts';
import { MemoryInbox } from './memory-inbox.ts';

export interface StackOptions {
  readonly clock: Clock;
  readonly namespace: string;
  /** Until the configuration is read. */
  readonly logLevel: LogLevel;
  readonly inboxPort: number;
  /** A folder of shared keys between clusters. */
  readonly keys?: string;
  transport(account: string): Transport;
  /** Hears what a dry run would do, pass by pass. */
  readonly onPlan?: (plan: never) => void;
}

export interface Stack {
  readonly apiUrl: string;
  readonly inboxUrl: string;
  readonly inbox: MemoryInbox;
  stop(): Promise<void>;
}

/** In a cluster the process would end for it, and be started again. */
const restored =
  'The cluster was restored from a backup, and what is known here is of the one before it: start the demo again';

/** Controller and api as they run in a cluster, in this process: only the mail goes to a page instead of a server. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { clock, namespace, keys } = options;
  const mounted = keys === undefined ? {} : { KEYS_FOLDER: keys };
  const random = cryptographicRandom;
  const secret = () => randomBytes(32).toString('base64');
  const secrets = { jwt: secret(), internalApi: secret() };
  const inbox = new MemoryInbox({ kept: 50 });
  const inboxPage = await serveInbox(inbox, options.inboxPort);
  const apiLogger = createLogger({ process: 'api', level: options.logLevel });
  const api = await startApi({
    transport: options.transport('svc-api'),
    clock,
    random,
    logger: apiLogger,
    namespace,
    secrets,
    port: 0,
    host: '127.0.0.1',
    mailer: () => inbox,
    authority: shippedAuthority,
    inForce: ({ operations }) => apiLogger.setLevel(operations.logLevel),
    restored: () => apiLogger.error(restored),
    version: 'demo',
    outbound: new HttpClient(),
    features: (base) => apiFeatures(base, mounted),
  });
  const logger = createLogger({ process: 'controller', level: options.logLevel });
  const frames = internalFrames({ API_URL: api.url, INTERNAL_API_SECRET: secrets.internalApi }, logger);
  const controller = await startController({
    transport: options.transport('svc-controller'),
    clock,
    random,
    logger,
    namespace,
    authority: shippedAuthority,
    inForce: ({ operations }) => logger.setLevel(operations.logLevel),
    restored: () => logger.error(restored),
    frames: 'off' in frames ? frames : overheard(frames, options.onPlan),
    // The pods of a satellite are simulated like all others; the page itself is served beside the web app.
    features: (base) =>
      controllerFeatures(base, {
        env: { ...mounted, SATELLITE_IMAGE: 'svc/satellite:demo', SATELLITE_STATUS_URL: api.url },
        mailer: () => inbox,
      }),
  });
  return {
    apiUrl: api.url,
    inboxUrl: inboxPage.url,
    inbox,
    async stop() {
      await controller.stop();
      await api.stop();
      await inboxPage.close();
    },
  };
}

/** What a dry run decided goes to the api as a frame; who started the demo may hear it too. */
function overheard(frames: FrameSink, onPlan: StackOptions['onPlan']): FrameSink {
  return {
    send(frame) {
      // Frames carry anything; whoever hears plans says by its own type what it reads of them.
      if (frame.kind === 'plan') onPlan?.(frame.payload as never);
      frames.send(frame);
    },
  };
}
