import { describe, expect, it } from 'vitest';
import { baseUrlOf } from './base-url.ts';
import { ServerClock } from './server-clock.ts';

describe('the clock of the server', () => {
  it("is the browser's before anything was heard", () => {
    expect(new ServerClock(() => 5000).now()).toBe(5000);
  });

  it('keeps the difference that an answer told', () => {
    let local = 1000;
    const clock = new ServerClock(() => local);
    clock.heard(61_000);
    local = 4000;
    expect(clock.now()).toBe(64_000);
    expect(clock.rate()).toBe(1);
  });

  it('learns that the clock there runs sixty times as fast', () => {
    let local = 0;
    const clock = new ServerClock(() => local);
    clock.heard(0);
    local = 10_000;
    clock.heard(600_000);
    local = 11_000;
    expect(clock.rate()).toBe(60);
    expect(clock.now()).toBe(660_000);
  });

  it('takes small differences for the way of the answer', () => {
    let local = 0;
    const clock = new ServerClock(() => local);
    clock.heard(0);
    local = 10_000;
    clock.heard(10_300);
    expect(clock.rate()).toBe(1);
  });
});

describe('the base of every address', () => {
  const rows: [string | undefined, string, string][] = [
    [undefined, '/', ''],
    [undefined, '/index.html', ''],
    [undefined, '/sleep/', '/sleep'],
    ['/', '/', ''],
    ['/sleep/', '/sleep', '/sleep'],
  ];
  it.each(rows)('with %s in the page at %s is %j', (named, pathname, base) => {
    expect(baseUrlOf(named, pathname)).toBe(base);
  });
});
