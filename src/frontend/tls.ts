import { join } from 'node:path';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { internalCertificate, type KeyAndCertificate } from './internal-authority.ts';
import { WatchedFiles } from './watched-files.ts';

/** Where the HTTPS listener's certificate comes from. */
export interface CertificateSource {
  /** The one to serve with now; made on first use when nothing is mounted. */
  current(): Promise<KeyAndCertificate>;
  onChange(listener: (pair: KeyAndCertificate) => void): void;
  stop(): void;
}

/** `tls.crt` and `tls.key` of a mounted Secret, followed when they are renewed. */
export async function mountedCertificate(
  folder: string,
  clock: Clock,
  logger: Logger,
  everyMs?: number,
): Promise<CertificateSource> {
  // Loaded where it is used: it costs megabytes, and most installations mount no certificate.
  const { createSecureContext } = await import('node:tls');
  const problemOf = (offered: KeyAndCertificate) => problemIn(offered, createSecureContext);
  const listeners: ((pair: KeyAndCertificate) => void)[] = [];
  let pair: KeyAndCertificate;
  const files = new WatchedFiles({
    paths: [join(folder, 'tls.crt'), join(folder, 'tls.key')],
    clock,
    logger,
    ...(everyMs === undefined ? {} : { everyMs }),
    onChange([cert = '', key = '']) {
      const problem = problemOf({ cert, key });
      if (problem !== undefined) {
        logger.error('The renewed certificate cannot be used; the last good one stays', { error: problem });
        return;
      }
      pair = { cert, key };
      logger.info('Certificate renewed');
      for (const listener of listeners) listener(pair);
    },
  });
  const [cert = '', key = ''] = await files.start();
  pair = { cert, key };
  const problem = problemOf(pair);
  if (problem !== undefined) throw new Error(`TLS_FOLDER: the certificate in ${folder} cannot be used: ${problem}`);
  return {
    current: async () => pair,
    onChange: (listener) => void listeners.push(listener),
    stop: () => files.stop(),
  };
}

export function internalSource(clock: Clock): CertificateSource {
  let made: Promise<KeyAndCertificate> | undefined;
  return {
    current: () => {
      made ??= internalCertificate(clock.now());
      return made;
    },
    onChange() {},
    stop() {},
  };
}

function problemIn(pair: KeyAndCertificate, check: (pair: KeyAndCertificate) => void): string | undefined {
  // Node takes an empty one for none at all, and would then turn every caller away.
  if (pair.cert.trim() === '') return 'tls.crt is empty';
  if (pair.key.trim() === '') return 'tls.key is empty';
  try {
    check({ key: pair.key, cert: pair.cert });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
