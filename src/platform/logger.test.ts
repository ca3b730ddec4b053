import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';

function capture() {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    process: 'controller',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  return { logger, lines };
}

describe('the logger', () => {
  it('writes one JSON line with the level by name, the process and the fields', () => {
    const { logger, lines } = capture();
    logger.warn('Handback not finished, retrying on the next pass', { pending: ['Deployment shop/cart'] });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'warn',
      process: 'controller',
      msg: 'Handback not finished, retrying on the next pass',
      pending: ['Deployment shop/cart'],
    });
  });

  it('follows a level set later, in children made before that', () => {
    const { logger, lines } = capture();
    const child = logger.child({ pass: 7 });
    child.debug('unheard');
    logger.setLevel('debug');
    child.debug('heard');
    logger.setLevel('error');
    child.warn('unheard again');
    expect(lines.map((line) => [line['msg'], line['pass']])).toEqual([['heard', 7]]);
  });
});
