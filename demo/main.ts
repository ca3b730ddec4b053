import { stringify } from 'yaml';
import { systemClock } from '../src/platform/system-clock.ts';
import type { Clock } from '../src/ports/clock.ts';
import { releaseNamespace, startFleet } from './embedded-fleet.ts';
import { type DemoFlags, parseFlags, usage } from './flags.ts';
import { demoConfig } from './fleet/demo-config.ts';
import { realCluster } from './real-cluster.ts';
import { scaledClock } from './scaled-clock.ts';
import { serveSleepingService } from './sleeping-service.ts';
import { type Stack, startStack } from './stack.ts';
import { serveWebApp } from './web-app.ts';

/** The one address that may sign in to the demo as an admin. */
const admin = 'admin@svc.local';

interface Demo {
  readonly kubeconfig: string;
  readonly stack: Stack;
  stop(): Promise<void>;
}

const parsed = parseFlags(process.argv.slice(2));
if (!parsed.ok) {
  process.stderr.write(`${parsed.message}\n\n${usage}\n`);
  process.exit(1);
}
await run(parsed.flags);

async function run(flags: DemoFlags): Promise<void> {
  const demo =
    flags.kubeconfig === undefined ? await onEmbedded(flags) : await onReal(flags, flags.kubeconfig, systemClock);
  const web = await serveWebApp({ port: flags.port, apiUrl: demo.stack.apiUrl });
  const externalUrl = `http://localhost:${flags.port}`;
  const visited = await serveSleepingService({ port: flags.port + 26, apiUrl: demo.stack.apiUrl, externalUrl });
  let stopping = false;
  const stop = async () => {
    // The terminal and npm may both pass the same Ctrl-C on.
    if (stopping) return;
    stopping = true;
    process.stdout.write('stopping\n');
    await visited.stop();
    await web.stop();
    await demo.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
  process.stdout.write(`ready: http://localhost:${flags.port}\n`);
  process.stdout.write(`sign in as ${admin}; the code arrives at ${demo.stack.inboxUrl}\n`);
  process.stdout.write(
    `a service that sleeps with the cluster, as its visitors see it: http://localhost:${visited.ports[0]}\n`,
  );
  process.stdout.write(`kubectl --kubeconfig ${demo.kubeconfig} get deployments -A\n`);
}

function ownSettings(flags: DemoFlags): Record<string, unknown> {
  return {
    externalUrl: `http://localhost:${flags.port}`,
    allowInsecureExternalUrl: true,
    auth: { adminUsers: [admin] },
    operations: { dryRun: flags.kubeconfig !== undefined && !flags.act },
  };
}

async function onEmbedded(flags: DemoFlags): Promise<Demo> {
  const present = scaledClock(flags.speed);
  const fleet = await startFleet({
    seed: flags.seed,
    admin,
    pastDays: flags.past,
    config: ownSettings(flags),
    present,
  });
  const stack = await startStack(stackOptions(flags, fleet.clock, (account) => fleet.transport(account)));
  return {
    kubeconfig: fleet.kubeconfig,
    stack,
    async stop() {
      await stack.stop();
      await fleet.stop();
    },
  };
}

async function onReal(flags: DemoFlags, kubeconfig: string, clock: Clock): Promise<Demo> {
  const {
    wakeOrdering: _w,
    hibernateOrdering: _h,
    resourceRules: _r,
    serviceRedirection: _s,
    ...general
  } = demoConfig();
  const transport = await realCluster(kubeconfig, releaseNamespace, stringify({ ...general, ...ownSettings(flags) }));
  const stack = await startStack(stackOptions(flags, clock, () => transport));
  return { kubeconfig, stack, stop: () => stack.stop() };
}

function stackOptions(flags: DemoFlags, clock: Clock, transport: Parameters<typeof startStack>[0]['transport']) {
  return { clock, namespace: releaseNamespace, logLevel: 'warn', inboxPort: flags.port + 25, transport } as const;
}
