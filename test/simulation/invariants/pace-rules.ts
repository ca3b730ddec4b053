import type { LogFields, Logger } from '../../../src/ports/logger.ts';
import type { Mail } from '../../../src/ports/mailer.ts';
import type { TransportRequest } from '../../../src/ports/transport.ts';
import type { SimWorld } from '../world/sim-world.ts';
import { Violation } from './violation.ts';

const hour = 3_600_000;

/** What may be done, said and sent within an hour, however long something is refused. */
const mostWrites = 150;
const mostStateWrites = 3_000;
/** A pass reads the state, and there is one a second at most while nobody acts; more is a pass after a pass for nothing. */
const mostStateReads = 10_000;
const mostLines = 70;
const mostMails = 40;
const mostSameMails = 6;

/** Counts what happens again and again: refused is neither forgotten nor hammered. */
export class PaceRules {
  readonly violations: Violation[] = [];
  readonly logger: Logger;
  readonly #now: () => number;
  readonly #counts = new Map<string, number>();
  #world: SimWorld | undefined;
  #hour = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.logger = this.#counting({});
  }

  watch(world: SimWorld): void {
    this.#world = world;
    world.faults.onRequest = (request) => this.#request(request);
    world.onMail = (mail) => this.#mail(mail);
  }

  #request({ method, path }: TransportRequest): void {
    const [target = ''] = path.split('?');
    const lives = Math.max(1, this.#world?.livesLately ?? 1);
    if (method === 'GET') {
      if (target.endsWith('/configmaps/svc-state')) this.#count(`${method} ${target}`, mostStateReads * lives);
      return;
    }
    if (/\/(events|configmaps)$/.test(target)) return;
    const most = target.includes('/configmaps/') ? mostStateWrites : mostWrites;
    // Each of several controllers at once has a pace of its own, and so has each life after a restart.
    this.#count(`${method} ${target}`, most * lives);
  }

  #mail({ subject, text }: Mail): void {
    this.#world?.trace.note(`mail: ${subject}`);
    this.#count('mails', mostMails);
    // Times and counts may differ, names may not: of many workloads that are refused each is told.
    this.#count(
      `mail ${subject} ${text.replaceAll(/(?<![\p{L}\d])\d+/gu, '')}`,
      mostSameMails * Math.max(1, this.#world?.livesLately ?? 1),
    );
  }

  #counting(more: LogFields): Logger {
    const line = (message: string, fields: LogFields = {}) =>
      this.#count(
        `line ${message} ${JSON.stringify({ ...more, ...fields }).slice(0, 300)}`,
        mostLines * Math.max(1, this.#world?.livesLately ?? 1),
      );
    return {
      debug() {},
      info: line,
      warn: line,
      error: line,
      child: (fields) => this.#counting({ ...more, ...fields }),
    };
  }

  #count(what: string, most: number): void {
    const now = Math.floor(this.#now() / hour);
    if (now !== this.#hour) this.#counts.clear();
    this.#hour = now;
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    if (count === Math.ceil(most) + 1) {
      this.violations.push(
        new Violation('refused is not hammered', `more than ${most} times in an hour: ${what.slice(0, 400)}`),
      );
    }
  }
}
