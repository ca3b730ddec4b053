import type { Logger } from '../../ports/logger.ts';
import { type Mail, type Mailer, mailsAtOnce } from '../../ports/mailer.ts';

/** Whose mail it is: of somebody whose browser has signed in before, of who has proved nothing yet, or our own news. */
export const mailRanks = ['known', 'notification', 'stranger'] as const;
export type MailRank = (typeof mailRanks)[number];

/** Mails of each rank that are promised, wait or are on their way; they are in `docs/limits.md`. */
export const mailRoom: Readonly<Record<MailRank, number>> = { known: 300, notification: 100, stranger: 300 };

/** One of the mails at a time is for known browsers alone: a slow server that strangers keep busy is never all theirs. */
const atOnceForOthers = mailsAtOnce - 1;

/** Room that is kept for one mail. It is used once: for the mail, or given back. */
export interface MailPlace {
  /** As the mailer sends it: resolves when the mail server has taken the mail. */
  send(mail: Mail): Promise<void>;
  giveBack(): void;
}

interface Waiting {
  readonly mail: Mail;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Lane {
  readonly waiting: Waiting[];
  /** Promised, waiting and under way. */
  held: number;
  underWay: number;
  toldFull: boolean;
}

/**
 * The one queue before the mail server. A few mails go out at a time, however many are asked for and however slow the server is; the
 * ranks take turns, each waits in a room of its own, and whoever finds his full is told so at once.
 */
export class MailQueue {
  readonly #mailer: Mailer;
  readonly #logger: Logger;
  readonly #lanes: Readonly<Record<MailRank, Lane>>;
  #lastServed: MailRank = 'stranger';

  constructor(mailer: Mailer, logger: Logger) {
    this.#mailer = mailer;
    this.#logger = logger;
    this.#lanes = { known: emptyLane(), notification: emptyLane(), stranger: emptyLane() };
  }

  /** Undefined when too many of this rank wait already. Who has a place gets his mail sent, however many come after him. */
  reserve(rank: MailRank): MailPlace | undefined {
    const lane = this.#lanes[rank];
    if (lane.held >= mailRoom[rank]) {
      this.#tellFull(rank, lane);
      return undefined;
    }
    lane.held++;
    return {
      send: (mail) =>
        new Promise((resolve, reject) => {
          lane.waiting.push({ mail, resolve, reject });
          this.#start();
        }),
      giveBack: () => leave(lane),
    };
  }

  /** For those to whom a full queue is one more way in which a mail can fail. */
  mailerFor(rank: MailRank): Mailer {
    return {
      send: async (mail) => {
        const place = this.reserve(rank);
        if (place === undefined) throw new Error('too many mails wait to be sent');
        await place.send(mail);
      },
    };
  }

  #start(): void {
    for (let rank = this.#next(); rank !== undefined; rank = this.#next()) {
      this.#lastServed = rank;
      void this.#deliver(this.#lanes[rank]);
    }
  }

  /** Of the ranks that wait and may go now, the one whose turn it is. */
  #next(): MailRank | undefined {
    const { known, notification, stranger } = this.#lanes;
    const others = notification.underWay + stranger.underWay;
    if (known.underWay + others >= mailsAtOnce) return undefined;
    const turn = mailRanks.indexOf(this.#lastServed) + 1;
    return [...mailRanks.slice(turn), ...mailRanks.slice(0, turn)].find(
      (rank) => this.#lanes[rank].waiting.length > 0 && (rank === 'known' || others < atOnceForOthers),
    );
  }

  async #deliver(lane: Lane): Promise<void> {
    const next = lane.waiting.shift();
    if (next === undefined) return;
    lane.underWay++;
    try {
      await this.#mailer.send(next.mail);
      next.resolve();
    } catch (error) {
      next.reject(error);
    } finally {
      lane.underWay--;
      leave(lane);
      this.#start();
    }
  }

  /** Once, until all of them are out: a flood must not fill the log as well. */
  #tellFull(rank: MailRank, lane: Lane): void {
    if (lane.toldFull) return;
    lane.toldFull = true;
    this.#logger.warn('Mails are refused: too many wait for the mail server', { rank, waiting: lane.held });
  }
}

function emptyLane(): Lane {
  return { waiting: [], held: 0, underWay: 0, toldFull: false };
}

function leave(lane: Lane): void {
  lane.held--;
  if (lane.held === 0) lane.toldFull = false;
}
