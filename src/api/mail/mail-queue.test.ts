import { describe, expect, it } from 'vitest';
import { type LogLine, RecordingLogger } from '../../../test/support/recording-logger.ts';
import type { Mail } from '../../ports/mailer.ts';
import { MailQueue, type MailRank, mailRanks, mailRoom } from './mail-queue.ts';

const mailTo = (to: string): Mail => ({ to, subject: 's', text: 't' });

const promisedRanks = ['known', 'notification'] as const;
const stillGood = () => true;

/** A mail server that takes a mail when it is told to. */
function rig() {
  const log: LogLine[] = [];
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const send = ({ to }: Mail) => {
    begun.push(to);
    const end = Promise.withResolvers<void>();
    ends.set(to, end);
    return end.promise;
  };
  const queue = new MailQueue({ send }, new RecordingLogger(log));
  const placeOf = (rank: MailRank) =>
    rank === 'stranger' ? queue.strangersCode({ client: 'ingress', rank: 'company', stillGood }) : queue.reserve(rank);
  const put = (rank: MailRank, count: number) =>
    Array.from({ length: count }, (_, index) => placeOf(rank)?.send(mailTo(`${rank}${index}`)));
  /** The server takes what has begun, until nothing begins any more. */
  const drain = async () => {
    while (ends.size > 0) {
      const [to, end] = ends.entries().next().value!;
      ends.delete(to);
      end.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { queue, log, begun, ends, put, drain };
}

describe('the queue before the mail server', () => {
  it('hands it two mails of strangers at a time, and one more of a known browser', () => {
    const { begun, put } = rig();
    put('stranger', 20);
    expect(begun).toEqual(['stranger0', 'stranger1']);
    put('known', 5);
    expect(begun).toEqual(['stranger0', 'stranger1', 'known0']);
  });

  it('lets the ranks take turns: none keeps another waiting', async () => {
    const { begun, put, drain } = rig();
    for (const rank of mailRanks) put(rank, 10);
    await drain();
    expect(begun).toHaveLength(30);
    for (const rank of mailRanks) {
      const places = begun.flatMap((to, place) => (to.startsWith(rank) ? [place] : []));
      // Of the first fifteen each has at least a fourth.
      expect([rank, places.filter((place) => place < 15).length >= 4]).toEqual([rank, true]);
    }
  });

  it.each(promisedRanks)(
    'has so much room for %s, says once when it is full, and touches no other rank',
    async (rank) => {
      const { queue, log, put, drain } = rig();
      const sent = put(rank, mailRoom[rank] + 50);
      expect(sent.filter((one) => one !== undefined)).toHaveLength(mailRoom[rank]);
      expect(log.map(({ message }) => message)).toEqual(['Mails are refused: too many wait for the mail server']);
      await expect(queue.mailerFor(rank).send(mailTo('more'))).rejects.toThrow('too many mails wait to be sent');
      for (const other of promisedRanks.filter((one) => one !== rank)) expect(queue.reserve(other)).toBeDefined();
      await drain();
      await Promise.all(sent);
      expect(queue.reserve(rank)).toBeDefined();
    },
  );

  it('refuses no stranger: beyond the room, the oldest of their codes is not sent, and it is said once', async () => {
    const { log, begun, put, drain } = rig();
    const sent = put('stranger', mailRoom.stranger + 52);
    expect(log.map(({ message }) => message)).toEqual(['Codes are not mailed: too many wait for the mail server']);
    await drain();
    await Promise.all(sent);
    expect(begun).toHaveLength(mailRoom.stranger + 2);
    expect([begun.includes('stranger51'), begun.includes('stranger52')]).toEqual([false, true]);
  });

  it('sends no code that nobody could type in any more, and the newest of an address alone', async () => {
    const { queue, begun, put, drain } = rig();
    put('stranger', 2);
    let good = true;
    const late = queue.strangersCode({ client: 'ingress', rank: 'company', stillGood: () => good });
    const sent = [late.send(mailTo('late')), put('stranger', 4)[2], put('stranger', 4)[3]];
    good = false;
    await drain();
    await Promise.all(sent);
    expect(begun.toSorted()).toEqual(['stranger0', 'stranger0', 'stranger1', 'stranger1', 'stranger2', 'stranger3']);
  });

  it('has the room again of who gives it back, and of a mail that was refused', async () => {
    const { queue, ends } = rig();
    for (let turn = 0; turn < 2 * mailRoom.known; turn++) queue.reserve('known')!.giveBack();
    for (let turn = 0; turn < 2 * mailRoom.known; turn++) {
      const sent = queue.reserve('known')!.send(mailTo('ada'));
      ends.get('ada')!.reject(new Error('550 no'));
      await expect(sent).rejects.toThrow('550 no');
    }
  });
});
