import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import { type LogLine, RecordingLogger } from '../../test/support/recording-logger.ts';
import { spacedLogger } from './spaced-logger.ts';

describe('a logger whose lines are spaced', () => {
  it('says a warning and an error once a minute, and everything else each time', async () => {
    const clock = new VirtualClock(0);
    const lines: LogLine[] = [];
    const logger = spacedLogger(new RecordingLogger(lines), clock);
    for (let second = 0; second < 120; second++) {
      logger.warn('refused', { workload: 'shop/cart' });
      logger.error('failed');
      if (second < 2) logger.info('a pass');
      await clock.advance(1_000);
    }
    const messages = lines.map(({ message }) => message);
    expect(messages.filter((message) => message === 'refused')).toHaveLength(2);
    expect(messages.filter((message) => message === 'failed')).toHaveLength(2);
    expect(messages.filter((message) => message === 'a pass')).toHaveLength(2);
  });

  it('tells lines apart by what they name, and by who says them', () => {
    const lines: LogLine[] = [];
    const logger = spacedLogger(new RecordingLogger(lines), new VirtualClock(0));
    logger.warn('refused', { workload: 'shop/cart' });
    logger.warn('refused', { workload: 'shop/web' });
    logger.child({ part: 'notifier' }).warn('refused', { workload: 'shop/cart' });
    logger.child({ part: 'notifier' }).warn('refused', { workload: 'shop/cart' });
    expect(lines).toHaveLength(3);
  });
});
