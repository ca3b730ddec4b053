import { describe, expect, it } from 'vitest';
import type { StoredState } from '../../state/state-store.ts';
import type { WatchedConfigMap } from './config-map-watch.ts';
import { KeptConfigMap } from './kept-config-map.ts';

const of = (version: string): WatchedConfigMap => ({ resourceVersion: version, data: { v: version } });

/** What the watch tells, and what the cluster answers, is told to it. */
function rig() {
  let current: WatchedConfigMap | undefined;
  let tell: (configMap: WatchedConfigMap | undefined) => void = () => {};
  let answer: StoredState = { data: {} };
  let synced = false;
  const store = {
    read: async () => answer,
    write: async () => ({ outcome: 'done', state: answer }) as const,
    onChange: () => () => {},
  };
  const watch = {
    get synced() {
      return synced;
    },
    start: async () => {
      synced = true;
    },
    stop() {},
    current: () => current,
    onChange(listener: typeof tell) {
      tell = listener;
      return () => {};
    },
  };
  const kept = new KeptConfigMap(store, watch);
  const hear = (configMap: WatchedConfigMap | undefined) => {
    current = configMap;
    tell(configMap);
  };
  const write = (version: string) => {
    answer = of(version);
    return kept.write({ data: {} }, {});
  };
  const read = (version: string) => {
    answer = of(version);
    return kept.read();
  };
  return { kept, hear, write, read, version: () => kept.kept().data['v'] };
}

describe('a ConfigMap that is kept in memory', () => {
  it('is not known before it has been looked for, and then is, also when there is none', async () => {
    const { kept } = rig();
    expect(() => kept.kept()).toThrow('it has not been read yet');
    await kept.keep();
    expect(kept.kept()).toEqual({ data: {} });
  });

  it('is as we read or wrote it at once, and as another process wrote it when the watch tells', async () => {
    const { kept, hear, write, read, version } = rig();
    await kept.keep();
    hear(of('8'));
    await write('10');
    expect(version()).toBe('10');
    // What the watch tells late is older than what we wrote.
    hear(of('9'));
    expect(version()).toBe('10');
    hear(of('10'));
    hear(of('11'));
    expect(version()).toBe('11');
    // A read that was under way when the watch was faster.
    await read('10');
    expect(version()).toBe('11');
  });

  it('is gone when the watch says so, and goes back with a cluster that was restored from a backup', async () => {
    const { kept, hear, write, version } = rig();
    await kept.keep();
    hear(of('8'));
    await write('10');
    hear(undefined);
    expect(version()).toBeUndefined();
    hear(of('12'));
    await write('13');
    hear(of('5'));
    expect(version()).toBe('5');
  });
});
