// A satellite on a free port, as its own process runs it.
import { silentLogger as logger } from '../../src/platform/silent-logger.ts';
import { systemClock as clock } from '../../src/platform/system-clock.ts';
// Not from main.ts, which in a bundle would take itself for the entry point.
import { startSatellite } from '../../src/satellite/satellite.ts';

const { ports } = await startSatellite({
  clusterName: 'staging',
  namespace: 'shop',
  service: 'web',
  externalUrl: 'https://svc.example.com',
  ports: [0],
  host: '127.0.0.1',
  clock,
  logger,
});
process.send?.(ports[0]);
