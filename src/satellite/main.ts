import { variable } from '../platform/process-environment.ts';
import { installShutdown } from '../platform/shutdown.ts';
import { systemClock } from '../platform/system-clock.ts';
import { logLines } from './log-lines.ts';
import { type SatelliteOptions, startSatellite } from './satellite.ts';

export { type RunningSatellite, type SatelliteOptions, startSatellite } from './satellite.ts';

/** The process's environment as options; a value that is missing or wrong stops the start with its name. */
export function optionsFrom(env: NodeJS.ProcessEnv): Omit<SatelliteOptions, 'clock' | 'logger'> {
  const statusUrl = variable(env, 'STATUS_URL')?.replace(/\/+$/, '');
  return {
    clusterName: variable(env, 'CLUSTER_NAME') ?? '',
    namespace: needed(env, 'SERVICE_NAMESPACE', 'the namespace of the service'),
    service: needed(env, 'SERVICE_NAME', 'the name of the service'),
    externalUrl: needed(env, 'EXTERNAL_URL', 'the own address of the instance, such as https://svc.example.com'),
    ports: portsIn(needed(env, 'PORTS', 'the ports to listen on, such as 8080,8443')),
    ...(statusUrl === undefined ? {} : { statusUrl }),
  };
}

function needed(env: NodeJS.ProcessEnv, name: string, meaning: string): string {
  const value = variable(env, name);
  if (value === undefined) throw new Error(`${name} is not set; it is ${meaning}`);
  return value;
}

function portsIn(text: string): readonly number[] {
  const ports = text.split(',').map((part) => (/^\d{1,5}$/.test(part.trim()) ? Number(part) : Number.NaN));
  if (ports.some((port) => !(port >= 0 && port <= 65_535))) {
    throw new Error(
      `PORTS must be port numbers with commas between them, such as 8080,8443, not ${JSON.stringify(text)}`,
    );
  }
  return [...new Set(ports)];
}

async function runProcess(env: NodeJS.ProcessEnv): Promise<void> {
  const logger = logLines((line) => void process.stdout.write(line), systemClock.now, { process: 'satellite' });
  const shutdown = installShutdown(systemClock, logger, () => 5_000);
  const running = await startSatellite({ ...optionsFrom(env), clock: systemClock, logger });
  shutdown.onStop('satellite', () => running.stop());
  logger.info('Satellite started', { ports: running.ports });
}

if (import.meta.main) {
  runProcess(process.env).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
