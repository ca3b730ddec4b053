import type { EventKey } from '../../../src/domain/notification/event-keys.ts';
import type { Outside } from './outside.ts';

/** The one destination that hears of everything; the others are held against it. */
export const controlHook = 'control';

/** Which cards arrived where. Only signed webhooks name the event; the other channels are read by its title. */
export class Cards {
  readonly #outside: Outside;
  #from = { requests: 0, mails: 0 };

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /** Forgets what came so far. */
  mark(): void {
    this.#from = { requests: this.#outside.internet.requests.length, mails: this.#outside.mailServer.mails.length };
  }

  get #requests() {
    return this.#outside.internet.requests.slice(this.#from.requests);
  }

  /** How many cards the control destination has got. */
  get count(): number {
    return this.#control().length;
  }

  /** The keys that the control destination heard of, after so many cards. */
  heard(from = 0): ReadonlySet<EventKey> {
    return new Set(
      this.#control()
        .slice(from)
        .map(({ event }) => event),
    );
  }

  /** The keys whose cards came to a destination: `teams/plain`, or the address of a mail. */
  at(destination: string): ReadonlySet<EventKey> {
    const bodies = destination.includes('@')
      ? this.#outside.mailServer.mails
          .slice(this.#from.mails)
          .filter(({ to }) => to.includes(destination))
          .map(({ mail }) => mail.subject ?? '')
      : this.#requests.filter(({ url }) => url === `http://hooks.test/${destination}`).map(({ body }) => body);
    // Titles may begin alike: the longest that is found counts.
    const titles = this.#control().toSorted((a, b) => b.title.length - a.title.length);
    return new Set(bodies.flatMap((body) => titles.find(({ title }) => body.includes(title))?.event ?? []));
  }

  #control() {
    return this.#requests
      .filter(({ url }) => url === `http://hooks.test/webhook/${controlHook}`)
      .map(({ body }) => JSON.parse(body) as { readonly event: EventKey; readonly title: string });
  }
}
