// The controller as its own main starts it, with the limits of a wake shortened.

import { internalFrames } from '../../../src/adapters/internal-frames/internal-frames.ts';
import { findAccess } from '../../../src/adapters/kubernetes/transport/access.ts';
import { HttpsTransport } from '../../../src/adapters/kubernetes/transport/https-transport.ts';
import { startController } from '../../../src/controller/main.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { cryptographicRandom as random } from '../../../src/platform/random.ts';
import { systemClock as clock } from '../../../src/platform/system-clock.ts';
import { asShipped } from '../../support/as-shipped.ts';
import { workloadsOnly } from '../../support/controller-features.ts';
import { shortFigures } from './short-figures.ts';

const access = await findAccess({ env: process.env, clock });
const logger = createLogger({ process: 'controller' });
const { metrics } = await startController({
  transport: new HttpsTransport({ access, clock }),
  clock,
  random,
  logger,
  namespace: access.namespace,
  figures: shortFigures,
  ...asShipped,
  frames: internalFrames(process.env, logger),
  features: workloadsOnly(),
});
logger.info('Controller started');
process.on('SIGTERM', () => {
  void metrics.render().then(({ text }) => {
    logger.info('Metrics', { text });
    process.exit(0);
  });
});
