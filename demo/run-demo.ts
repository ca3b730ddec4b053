import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { systemClock } from '../src/platform/system-clock.ts';
import type { Clock } from '../src/ports/clock.ts';
import { configInFront } from './config-in-front.ts';
import { releaseNamespace, startFleet } from './embedded-fleet.ts';
import { type DemoFlags, parseFlags, usage } from './flags.ts';
import { demoConfig } from './fleet/demo-config.ts';
import { planLine } from './plan-lines.ts';
import { realCluster } from './real-cluster.ts';
import { scaledClock } from './scaled-clock.ts';
import { serveSleepingService } from './sleeping-service.ts';
import { type Stack, startStack } from './stack.ts';
import { serveWebApp } from './web-app.ts';

/** The one address that may sign in to the demo as an admin. */
const admin = 'admin@svc.local';

/** The terminal is for what the demo says; a configuration that names a level is followed, as in a cluster. */
const quiet = { operations: { logLevel: 'warn' } } as const;

interface Demo {
  readonly kubeconfig: string;
  readonly stack: Stack;
  stop(): Promise<void>;
}

/** From the command line until the demo is ready; it then serves until it is stopped. */
export async function runDemo(args: readonly string[]): Promise<void> {
  const parsed = parseFlags(args);
  if (parsed.ok === 'help') {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  if (!parsed.ok) {
    process.stderr.write(`${parsed.message}\n\n${usage}\n`);
    process.exit(1);
  }
  await run(parsed.flags);
}

async function run(flags: DemoFlags): Promise<void> {
  const demo =
    flags.kubeconfig === undefined ? await onEmbedded(flags) : await onReal(flags, flags.kubeconfig, systemClock);
  const web = await serveWebApp({ port: flags.port, apiUrl: demo.stack.apiUrl });
  const externalUrl = `http://localhost:${flags.port}`;
  // A cluster of the user's own has satellites of its own.
  const visited =
    flags.kubeconfig === undefined
      ? await serveSleepingService({ port: flags.port + 26, apiUrl: demo.stack.apiUrl, externalUrl })
      : undefined;
  let stopping = false;
  const stop = async () => {
    // The terminal and npm may both pass the same Ctrl-C on.
    if (stopping) return;
    stopping = true;
    process.stdout.write('stopping\n');
    await visited?.stop();
    await web.stop();
    await demo.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
  if (flags.kubeconfig !== undefined && !flags.act)
    process.stdout.write('a dry run: nothing in the cluster is changed\n');
  process.stdout.write(`ready: http://localhost:${flags.port}\n`);
  process.stdout.write(`sign in as ${admin}; the code arrives at ${demo.stack.inboxUrl}\n`);
  if (visited !== undefined) {
    const address = `http://localhost:${visited.ports[0]}`;
    process.stdout.write(`a service that sleeps with the cluster, as its visitors see it: ${address}\n`);
  }
  process.stdout.write(`kubectl --kubeconfig ${demo.kubeconfig} get deployments -A\n`);
}

function ownAddress(flags: DemoFlags) {
  return { externalUrl: `http://localhost:${flags.port}`, allowInsecureExternalUrl: true };
}

/** What such a file holds; an error of the file names it. */
function valuesFile(flag: 'config' | 'branding', file: string, example: string): Readonly<Record<string, unknown>> {
  const settings: unknown = parse(readFileSync(file, 'utf8'));
  if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) return { ...settings };
  process.stderr.write(`--${flag} ${file}: must hold values under ${flag}, such as ${example}\n`);
  process.exit(1);
}

function configFile({ config }: DemoFlags): Readonly<Record<string, unknown>> {
  return config === undefined ? {} : valuesFile('config', config, 'clusterName: one');
}

function brandingFile({ branding }: DemoFlags): { readonly branding?: Readonly<Record<string, unknown>> } {
  return branding === undefined ? {} : { branding: valuesFile('branding', branding, "accentColor: '#0b5394'") };
}

async function onEmbedded(flags: DemoFlags): Promise<Demo> {
  const present = scaledClock(flags.speed);
  const fleet = await startFleet({
    seed: flags.seed,
    admin,
    pastDays: flags.past,
    config: { ...quiet, ...ownAddress(flags), auth: { adminUsers: [admin] } },
    presentConfig: configFile(flags),
    ...brandingFile(flags),
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
    ...settings
  } = demoConfig();
  const general = { ...settings, ...quiet };
  const own = { ...configFile(flags), ...ownAddress(flags) };
  const front = await realCluster({
    kubeconfig,
    namespace: releaseNamespace,
    ...brandingFile(flags),
    configOf: (installed) =>
      configInFront({ ...(installed === undefined ? {} : { installed }), general, own, admin, act: flags.act }),
  });
  const stack = await startStack(stackOptions(flags, clock, () => front.transport));
  return {
    kubeconfig,
    stack,
    async stop() {
      await stack.stop();
      front.stop();
    },
  };
}

function stackOptions(flags: DemoFlags, clock: Clock, transport: Parameters<typeof startStack>[0]['transport']) {
  let last = '';
  return {
    clock,
    namespace: releaseNamespace,
    logLevel: quiet.operations.logLevel,
    inboxPort: flags.port + 25,
    transport,
    ...(flags.keys === undefined ? {} : { keys: flags.keys }),
    onPlan(plan: Parameters<typeof planLine>[0]) {
      const line = planLine(plan);
      if (line !== last) process.stdout.write(`${line}\n`);
      last = line;
    },
  } as const;
}
