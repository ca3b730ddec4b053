import { describe, expect, it } from 'vitest';
import { SharedStream, type TabChannel, type TabLocks, type TabMessage } from './shared-stream.ts';
import type { StreamHandlers, StreamTold } from './stream.ts';

/** A browser: its locks, and what its tabs say to each other. */
class Browser {
  readonly tabs: Tab[] = [];
  #holder: { readonly lost: (reason: unknown) => void } | undefined;
  readonly #line: (() => void)[] = [];

  readonly locks: TabLocks = {
    request: (_, { steal, signal }, holding) =>
      new Promise((resolve, reject) => {
        const gone = () => reject(new DOMException('gone', 'AbortError'));
        const hold = () => {
          if (signal?.aborted) return void this.#next();
          const mine = { lost: gone };
          this.#holder = mine;
          void holding().then(() => {
            resolve(undefined);
            if (this.#holder === mine) this.#next();
          });
        };
        signal?.addEventListener('abort', gone);
        if (steal) this.#holder?.lost(undefined);
        if (steal || this.#holder === undefined) hold();
        else this.#line.push(hold);
      }),
  };

  open(): Tab {
    return new Tab(this);
  }

  say(from: TabChannel, message: TabMessage): void {
    for (const { channel, frozen } of this.tabs) {
      if (channel !== from && !frozen) channel.onmessage?.(new MessageEvent('message', { data: message }));
    }
  }

  #next(): void {
    this.#holder = undefined;
    this.#line.shift()?.();
  }
}

class Tab {
  readonly heard: string[] = [];
  readonly channel: TabChannel;
  readonly shared: SharedStream;
  live = false;
  frozen = false;
  /** The stream that this tab reads itself. */
  own: StreamTold | undefined;
  timer: { readonly ms: number; readonly run: () => void } | undefined;

  constructor(browser: Browser) {
    browser.tabs.push(this);
    this.channel = {
      onmessage: null,
      postMessage: (message) => browser.say(this.channel, message),
      close: () => undefined,
    };
    const note = (name: string) => () => void this.heard.push(name);
    const handlers: StreamHandlers = {
      'stand-down-update': note('stand-down-update'),
      transition: note('transition'),
      audit: note('audit'),
      plan: note('plan'),
      status: note('status'),
    };
    this.shared = new SharedStream({
      name: 'events',
      locks: browser.locks,
      channel: this.channel,
      handlers,
      onConnected: (connected) => {
        this.live = connected;
      },
      onMissed: note('missed'),
      open: (told) => {
        this.own = told;
        return () => {
          this.own = undefined;
        };
      },
      after: (ms, run) => {
        const timer = { ms, run };
        this.timer = timer;
        return () => {
          if (this.timer === timer) this.timer = undefined;
        };
      },
      now: () => 1,
    });
  }
}

/** What locks answer comes a little later. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function three() {
  const browser = new Browser();
  const [first, second, third] = [browser.open(), browser.open(), browser.open()] as const;
  await settled();
  first.own?.onConnected(true);
  return { browser, first, second, third };
}

describe('the stream that tabs share', () => {
  it('is read by one tab, and heard by all', async () => {
    const { browser, first, second, third } = await three();
    expect(browser.tabs.map(({ own }) => own !== undefined)).toEqual([true, false, false]);
    expect(browser.tabs.map(({ live }) => live)).toEqual([true, true, true]);
    first.own?.handlers.plan({});
    expect([first.heard, second.heard, third.heard]).toEqual([['plan'], ['plan'], ['plan']]);
  });

  it('is known to be live by a tab that comes later', async () => {
    const { browser } = await three();
    expect(browser.open().live).toBe(true);
  });

  it('is live nowhere while it is broken', async () => {
    const { browser, first } = await three();
    first.own?.onConnected(false);
    expect(browser.tabs.map(({ live }) => live)).toEqual([false, false, false]);
  });

  it('goes to the next tab when the one that reads it is closed, and all ask for what went past', async () => {
    const { first, second, third } = await three();
    first.shared.stop();
    await settled();
    expect([second.own !== undefined, third.own !== undefined]).toEqual([true, false]);
    expect([second.live, third.live]).toEqual([false, false]);
    second.own?.onConnected(true);
    expect([second.live, third.live]).toEqual([true, true]);
    expect([second.heard, third.heard]).toEqual([['missed'], ['missed']]);
    expect(first.own).toBeUndefined();
  });

  it('is live no longer where nothing is heard of it, if only for a heartbeat', async () => {
    const { first, second } = await three();
    const before = second.timer;
    expect(before?.ms).toBe(32_000);
    first.own?.onAlive();
    expect(second.timer).not.toBe(before);
    first.frozen = true;
    second.timer?.run();
    expect(second.live).toBe(false);
  });

  it('is kept by a tab that still answers', async () => {
    const { first, second } = await three();
    second.timer?.run();
    await settled();
    expect([second.live, second.timer?.ms]).toEqual([true, 32_000]);
    expect([first.own !== undefined, second.own !== undefined]).toEqual([true, false]);
  });

  it('is taken from a tab that the browser froze, whose words are old when it thaws', async () => {
    const { first, second, third } = await three();
    const old = first.own;
    first.frozen = true;
    second.timer?.run();
    expect(second.timer?.ms).toBe(10_000);
    second.timer?.run();
    await settled();
    expect(second.own).toBeDefined();
    second.own?.onConnected(true);
    first.frozen = false;
    old?.handlers.plan({});
    old?.onConnected(false);
    await settled();
    expect([first.own, second.live, third.live]).toEqual([undefined, true, true]);
    expect([first.heard, third.heard]).toEqual([[], ['missed']]);
    first.shared.ask();
    expect(first.live).toBe(true);
  });

  it('is each tab’s own where the browser gives no locks', async () => {
    const browser = new Browser();
    Object.assign(browser.locks, { request: () => Promise.reject(new DOMException('no', 'SecurityError')) });
    const tab = browser.open();
    await settled();
    tab.own?.onConnected(true);
    expect(tab.live).toBe(true);
  });
});
