import type { StreamEventName } from '../../../src/contract/contract.ts';
import { type StreamHandlers, type StreamTold, silenceMs } from './stream.ts';

/** What tabs of one browser say to each other. `term` orders those that lead: words of one that was replaced are old. */
export type TabMessage =
  | { readonly kind: 'ask' }
  | { readonly kind: 'state'; readonly term: number; readonly connected: boolean }
  | { readonly kind: 'missed'; readonly term: number }
  | { readonly kind: 'event'; readonly term: number; readonly name: StreamEventName; readonly payload: unknown };

type LeaderMessage = Exclude<TabMessage, { kind: 'ask' }>;

export interface TabChannel {
  postMessage(message: TabMessage): void;
  onmessage: ((event: MessageEvent<TabMessage>) => void) | null;
  close(): void;
}

interface Held {
  readonly signal?: AbortSignal;
  readonly steal?: boolean;
}

/** Of the browser's own: one tab holds the lock of a name, the others wait in line for it. */
export interface TabLocks {
  request(name: string, held: Held, holding: () => Promise<void>): Promise<unknown>;
}

export interface SharedStreamOptions {
  readonly name: string;
  readonly locks: TabLocks;
  readonly channel: TabChannel;
  readonly handlers: StreamHandlers;
  /** True while events arrive, in this tab or by way of another. */
  readonly onConnected: (connected: boolean) => void;
  /** Events may have gone past while the stream went from one tab to another. */
  readonly onMissed: () => void;
  /** Opens the stream itself; what it returns closes it. */
  readonly open: (told: StreamTold) => () => void;
  readonly after: (ms: number, run: () => void) => () => void;
  readonly now: () => number;
}

/** A page that lives answers at once, a busy one soon; one that the browser has frozen does not. */
const leaderAnswersMs = 10_000;
const nothing = () => undefined;

/**
 * One stream for all tabs of a browser: it grants six connections to a server over HTTP/1.1, and a stream in each tab would
 * use them up. The tab that holds the lock reads the stream and passes on what it hears; another takes over when it is gone,
 * or when it no longer answers.
 */
export class SharedStream {
  readonly #options: SharedStreamOptions;
  readonly #over = new AbortController();
  #turn = new AbortController();
  #steal = false;
  #leading = false;
  #connected = false;
  /** Somebody else has led before: what went past meanwhile has to be asked for. */
  #followed = false;
  #term = 0;
  #cancelWatch: () => void = nothing;
  #endLead: () => void = nothing;

  constructor(options: SharedStreamOptions) {
    this.#options = options;
    options.channel.onmessage = ({ data }) => this.#hear(data);
    void this.#waitInLine();
    this.ask();
  }

  /** Asks who leads how things stand, and leads instead if nobody answers. */
  ask(): void {
    if (this.#leading) return;
    this.#watch(leaderAnswersMs, () => {
      this.#options.onConnected(false);
      this.#steal = true;
      this.#turn.abort();
    });
    this.#say({ kind: 'ask' });
  }

  stop(): void {
    this.#over.abort();
    this.#cancelWatch();
    if (this.#leading) this.#tell(false);
    this.#turn.abort();
    this.#endLead();
    this.#options.channel.onmessage = null;
    this.#options.channel.close();
  }

  async #waitInLine(): Promise<void> {
    const { locks, name } = this.#options;
    while (!this.#over.signal.aborted) {
      this.#turn = new AbortController();
      const held = this.#steal ? { steal: true } : { signal: this.#turn.signal };
      this.#steal = false;
      try {
        await locks.request(name, held, () => this.#lead());
      } catch (error) {
        // Left, or taken away by another tab. A browser that gives no locks at all leaves each tab its own stream.
        if (!isAbort(error)) return void this.#lead();
      }
      this.#endLead();
    }
  }

  #lead(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#over.signal.aborted) return Promise.resolve();
    const { handlers, onMissed, open, now } = this.#options;
    this.#cancelWatch();
    this.#leading = true;
    this.#term = Math.max(now(), this.#term + 1);
    this.#tell(false);
    let mine = true;
    let missed = this.#followed;
    const close = open({
      handlers: passedOn(handlers, (name, payload) => {
        if (mine) this.#say({ kind: 'event', term: this.#term, name, payload });
        return mine;
      }),
      onConnected: (connected) => {
        if (!mine) return;
        this.#tell(connected);
        if (!connected || !missed) return;
        missed = false;
        this.#say({ kind: 'missed', term: this.#term });
        onMissed();
      },
      onAlive: () => {
        if (mine) this.#say({ kind: 'state', term: this.#term, connected: this.#connected });
      },
    });
    this.#endLead = () => {
      mine = false;
      this.#leading = false;
      this.#endLead = nothing;
      close();
      resolve();
    };
    return promise;
  }

  #hear(message: TabMessage): void {
    if (message.kind !== 'ask') this.#follow(message);
    else if (this.#leading) this.#say({ kind: 'state', term: this.#term, connected: this.#connected });
  }

  #follow(message: LeaderMessage): void {
    if (message.term < this.#term || this.#leading) return;
    this.#term = message.term;
    this.#followed = true;
    this.#watch(silenceMs, () => {
      this.#options.onConnected(false);
      this.ask();
    });
    if (message.kind === 'state') this.#options.onConnected(message.connected);
    else if (message.kind === 'missed') this.#options.onMissed();
    else (this.#options.handlers[message.name] as (payload: unknown) => void)(message.payload);
  }

  #watch(ms: number, silent: () => void): void {
    this.#cancelWatch();
    this.#cancelWatch = this.#options.after(ms, silent);
  }

  #tell(connected: boolean): void {
    this.#connected = connected;
    this.#say({ kind: 'state', term: this.#term, connected });
    this.#options.onConnected(connected);
  }

  #say(message: TabMessage): void {
    this.#options.channel.postMessage(message);
  }
}

/** Each event goes to the other tabs as well; one that may no longer be told goes nowhere. */
function passedOn(
  handlers: StreamHandlers,
  tell: (name: StreamEventName, payload: unknown) => boolean,
): StreamHandlers {
  const pass = (name: StreamEventName) => (payload: unknown) => {
    if (tell(name, payload)) (handlers[name] as (value: unknown) => void)(payload);
  };
  return {
    'stand-down-update': pass('stand-down-update'),
    transition: pass('transition'),
    audit: pass('audit'),
    plan: pass('plan'),
    status: pass('status'),
  };
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
