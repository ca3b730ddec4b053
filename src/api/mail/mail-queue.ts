import type { Logger } from '../../ports/logger.ts';
import { type Mail, type Mailer, mailsAtOnce } from '../../ports/mailer.ts';
import { type CodeRank, WaitingCodes } from './waiting-codes.ts';

/** Whose mail it is: of somebody whose browser has signed in before, of who has proved nothing yet, or our own news. */
export const mailRanks = ['known', 'notification', 'stranger'] as const;
export type MailRank = (typeof mailRanks)[number];

/** Those whose mails are promised: who has a place gets his mail sent, however many come after him. */
type PromisedRank = Exclude<MailRank, 'stranger'>;

/** Mails that are promised, wait or are on their way, and codes for strangers that wait; they are in `docs/limits.md`. */
export const mailRoom: Readonly<Record<MailRank, number>> = { known: 300, notification: 100, stranger: 1_000 };

/** One of the mails at a time is for known browsers alone: a slow server that strangers keep busy is never all theirs. */
const atOnceForOthers = mailsAtOnce - 1;

/** Room that is kept for one mail. It is used once: for the mail, or given back. */
export interface MailPlace {
  /** As the mailer sends it: resolves when the mail server has taken the mail. */
  send(mail: Mail): Promise<void>;
  giveBack(): void;
}

/** For whom a stranger's code is, and until when it is worth sending. */
export interface StrangersCode {
  readonly client: string;
  readonly rank: CodeRank;
  stillGood(): boolean;
}

interface Waiting {
  readonly mail: Mail;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface WaitingCode extends StrangersCode, Waiting {
  readonly to: string;
}

interface Lane {
  readonly waiting: Waiting[];
  /** Promised, waiting and under way. */
  held: number;
  toldFull: boolean;
}

/**
 * The one queue before the mail server. A few mails go out at a time, however many are asked for and however slow the server is; the
 * ranks take turns, and each waits in a room of its own. Known browsers and notifications are told at once when theirs is full. Strangers
 * never are, for that would tell whom their codes are for: there the one that is least missed is not sent.
 */
export class MailQueue {
  readonly #mailer: Mailer;
  readonly #logger: Logger;
  readonly #lanes: Readonly<Record<PromisedRank, Lane>>;
  readonly #codes = new WaitingCodes<WaitingCode>(mailRoom.stranger);
  readonly #underWay: Record<MailRank, number> = { known: 0, notification: 0, stranger: 0 };
  #toldDropped = false;
  #lastServed: MailRank = 'stranger';

  constructor(mailer: Mailer, logger: Logger) {
    this.#mailer = mailer;
    this.#logger = logger;
    this.#lanes = { known: emptyLane(), notification: emptyLane() };
  }

  /** Undefined when too many of this rank wait already. Who has a place gets his mail sent, however many come after him. */
  reserve(rank: PromisedRank): MailPlace | undefined {
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
  mailerFor(rank: PromisedRank): Mailer {
    return {
      send: async (mail) => {
        const place = this.reserve(rank);
        if (place === undefined) throw new Error('too many mails wait to be sent');
        await place.send(mail);
      },
    };
  }

  /** Resolves when it is sent, or is not to be: another code took its place, or it was worth nothing any more. */
  strangersCode(code: StrangersCode): Pick<MailPlace, 'send'> {
    return {
      send: (mail) =>
        new Promise((resolve, reject) => {
          const gone = this.#codes.put({ ...code, to: mail.to, mail, resolve, reject });
          gone?.resolve();
          if (gone !== undefined && gone.to !== mail.to) this.#tellDropped();
          this.#start();
        }),
    };
  }

  #start(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#lastServed = next.rank;
      void this.#deliver(next.rank, next.waiting);
    }
  }

  /** Of the ranks that wait and may go now, the one whose turn it is. */
  #next(): { readonly rank: MailRank; readonly waiting: Waiting } | undefined {
    const others = this.#underWay.notification + this.#underWay.stranger;
    if (this.#underWay.known + others >= mailsAtOnce) return undefined;
    const turn = mailRanks.indexOf(this.#lastServed) + 1;
    for (const rank of [...mailRanks.slice(turn), ...mailRanks.slice(0, turn)]) {
      if (rank !== 'known' && others >= atOnceForOthers) continue;
      const waiting = rank === 'stranger' ? this.#nextCode() : this.#lanes[rank].waiting.shift();
      if (waiting !== undefined) return { rank, waiting };
    }
    return undefined;
  }

  /** What nobody could type in any more costs others no time. */
  #nextCode(): WaitingCode | undefined {
    let code = this.#codes.next();
    for (; code !== undefined && !code.stillGood(); code = this.#codes.next()) code.resolve();
    if (this.#codes.size === 0) this.#toldDropped = false;
    return code;
  }

  async #deliver(rank: MailRank, { mail, resolve, reject }: Waiting): Promise<void> {
    this.#underWay[rank]++;
    try {
      await this.#mailer.send(mail);
      resolve();
    } catch (error) {
      reject(error);
    } finally {
      this.#underWay[rank]--;
      if (rank !== 'stranger') leave(this.#lanes[rank]);
      this.#start();
    }
  }

  #tellDropped(): void {
    if (this.#toldDropped) return;
    this.#toldDropped = true;
    this.#logger.warn('Codes are not mailed: too many wait for the mail server', { waiting: this.#codes.size });
  }

  /** Once, until all of them are out: a flood must not fill the log as well. */
  #tellFull(rank: PromisedRank, lane: Lane): void {
    if (lane.toldFull) return;
    lane.toldFull = true;
    this.#logger.warn('Mails are refused: too many wait for the mail server', { rank, waiting: lane.held });
  }
}

function emptyLane(): Lane {
  return { waiting: [], held: 0, toldFull: false };
}

function leave(lane: Lane): void {
  lane.held--;
  if (lane.held === 0) lane.toldFull = false;
}
