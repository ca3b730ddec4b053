import { fileURLToPath } from 'node:url';
import { createLogger } from '../platform/logger.ts';
import { portVariable, variable } from '../platform/process-environment.ts';
import { installShutdown } from '../platform/shutdown.ts';
import { systemClock } from '../platform/system-clock.ts';
import { type FrontendOptions, startFrontend } from './frontend.ts';

export { type FrontendOptions, type RunningFrontend, startFrontend } from './frontend.ts';

/** The process's environment as options; a value that is missing or wrong stops the start with its name. */
export function optionsFrom(env: NodeJS.ProcessEnv): Omit<FrontendOptions, 'clock' | 'logger'> {
  const externalUrl = variable(env, 'EXTERNAL_URL') ?? '';
  if (externalUrl === '') {
    throw new Error('EXTERNAL_URL is not set; it is the own address of the instance, such as https://svc.example.com');
  }
  const internalUrl = variable(env, 'INTERNAL_URL');
  const tlsFolder = variable(env, 'TLS_FOLDER');
  return {
    webRoot: variable(env, 'WEB_ROOT') ?? fileURLToPath(new URL('./web', import.meta.url)),
    apiUrl: variable(env, 'API_URL') ?? 'http://127.0.0.1:8080',
    externalUrl,
    ...(internalUrl === undefined ? {} : { internalUrl }),
    ...(tlsFolder === undefined ? {} : { tlsFolder }),
    trustedProxies: (variable(env, 'TRUSTED_PROXIES') ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
    httpPort: portVariable(env, 'HTTP_PORT', 3000),
    httpsPort: portVariable(env, 'HTTPS_PORT', 3443),
  };
}

async function runProcess(env: NodeJS.ProcessEnv): Promise<void> {
  const logger = createLogger({ process: 'frontend' });
  const shutdown = installShutdown(systemClock, logger, () => 10_000);
  const running = await startFrontend({ ...optionsFrom(env), clock: systemClock, logger });
  shutdown.onStop('frontend', () => running.stop());
  logger.info('Frontend started', { httpPort: running.httpPort, httpsPort: running.httpsPort });
}

if (import.meta.main) {
  runProcess(process.env).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
