import { heartbeatMs, replayedEvents, type StreamEventName } from '../../contract/stream.ts';
import type { Clock } from '../../ports/clock.ts';

export interface StreamClient {
  /** False when the client takes no more: it is dropped. */
  write(text: string): boolean;
  /** Whether it still may listen. */
  allowed(): boolean;
  end(): void;
  /** As it is now. */
  readonly admin: boolean;
}

interface Sent {
  readonly sequence: number;
  readonly name: StreamEventName;
  readonly text: string;
}

/** So many events back, a client that comes again is told what it missed instead of the last of each kind. */
const remembered = 256;
/** Events that name workloads and persons; their own routes are for admins too. */
const forAdmins: ReadonlySet<StreamEventName> = new Set(['transition', 'audit', 'plan']);

/** Fans events out to the open streams and keeps the last of each kind for those who come later. */
export class StreamHub {
  readonly #run: string;
  readonly #clients = new Set<StreamClient>();
  readonly #last = new Map<StreamEventName, { readonly json: string; readonly sent: Sent }>();
  readonly #recent: Sent[] = [];
  readonly #clock: Clock;
  #sequence = 0;
  #cancelBeat: (() => void) | undefined;
  #ended = false;

  /** `run` tells the events of this process from those of one before it. */
  constructor(run: string, clock: Clock) {
    this.#run = run;
    this.#clock = clock;
  }

  get size(): number {
    return this.#clients.size;
  }

  /** The last payload of a kind, as JSON. */
  last(name: StreamEventName): string | undefined {
    return this.#last.get(name)?.json;
  }

  /** Sends news; a state that is what it was is no news. */
  publish(name: StreamEventName, payload: unknown): void {
    const json = JSON.stringify(payload);
    if (replayedEvents.includes(name) && this.#last.get(name)?.json === json) return;
    const sequence = ++this.#sequence;
    const sent: Sent = { sequence, name, text: `id: ${this.#run}-${sequence}\nevent: ${name}\ndata: ${json}\n\n` };
    this.#last.set(name, { json, sent });
    this.#recent.push(sent);
    if (this.#recent.length > remembered) this.#recent.shift();
    for (const client of this.#clients) this.#send(client, sent);
  }

  /** Opens a stream: what was missed since `lastEventId` where that is known, else the last of each kind. */
  open(client: StreamClient, lastEventId: string | undefined): () => void {
    if (this.#ended) {
      client.end();
      return () => {};
    }
    this.#clients.add(client);
    this.#cancelBeat ??= this.#clock.after(heartbeatMs, () => this.#beat());
    client.write('retry: 3000\n\n');
    for (const sent of this.#missed(lastEventId)) this.#send(client, sent);
    return () => this.#clients.delete(client);
  }

  /** For good: who comes later is sent away. */
  endAll(): void {
    this.#ended = true;
    this.#cancelBeat?.();
    for (const client of this.#clients) this.#drop(client);
  }

  /** Keeps connections alive, and ends those that may no longer listen; again while there are any. */
  #beat(): void {
    for (const client of this.#clients) {
      if (!client.allowed()) this.#drop(client);
      else if (!client.write(': alive\n\n')) this.#drop(client);
    }
    this.#cancelBeat = this.size === 0 ? undefined : this.#clock.after(heartbeatMs, () => this.#beat());
  }

  #missed(lastEventId: string | undefined): readonly Sent[] {
    const dash = lastEventId?.lastIndexOf('-') ?? -1;
    const sequence = Number(lastEventId?.slice(dash + 1));
    const first = this.#recent[0]?.sequence ?? this.#sequence + 1;
    const known =
      lastEventId !== undefined &&
      lastEventId.slice(0, dash) === this.#run &&
      Number.isInteger(sequence) &&
      sequence >= first - 1 &&
      sequence <= this.#sequence;
    if (known) return this.#recent.filter((sent) => sent.sequence > sequence);
    return replayedEvents.flatMap((name) => this.#last.get(name)?.sent ?? []);
  }

  #send(client: StreamClient, { name, text }: Sent): void {
    if (forAdmins.has(name) && !client.admin) return;
    if (!client.allowed() || !client.write(text)) this.#drop(client);
  }

  #drop(client: StreamClient): void {
    this.#clients.delete(client);
    client.end();
  }
}
