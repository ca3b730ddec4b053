import { afterEach, describe, expect, it } from 'vitest';
import { ControllerWorld } from '../../../test/support/controller-world.ts';
import { leftOutServices, oddConfig, oddServices, redirectedServices } from '../../../test/support/odd-services.ts';
import { type LogLine, RecordingLogger } from '../../../test/support/recording-logger.ts';

const hour = 3_600_000;
/** Monday, 19:59 in Berlin. */
const evening = Date.UTC(2026, 0, 5, 18, 59);

let world: ControllerWorld;
afterEach(() => world.stopController());

describe('a service that serviceRedirection names and that gets no satellite', () => {
  it('is in the log with the reason, once a night, and the others are redirected', async () => {
    const log: LogLine[] = [];
    world = new ControllerWorld({
      startAt: evening,
      config: oddConfig,
      redirects: true,
      logger: new RecordingLogger(log, {}),
    });
    world.cluster.apply(oddServices);
    await world.startController();
    const said = (level: string) => log.filter((line) => line.level === level && line.fields['service'] !== undefined);
    const leftOut = () =>
      log
        .filter(({ message }) => message.startsWith('A service that serviceRedirection names'))
        .map(({ fields: { service, reason } }) => ({ service, reason }));
    await world.clock.advance(hour);
    expect(leftOut()).toEqual(leftOutServices);
    expect(said('warn').map(({ fields }) => fields['service'])).toEqual(
      leftOutServices.map(({ service }) => service).filter((service) => service !== 'shop/kept'),
    );
    const redirected = [...world.cluster.store.list('services')]
      .filter(({ metadata }) => metadata.labels?.['svc.io/redirected'] === 'true')
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(redirected.toSorted()).toEqual(redirectedServices.toSorted());
    await world.clock.advance(24 * hour);
    expect(leftOut()).toEqual([...leftOutServices, ...leftOutServices]);
  });
});
