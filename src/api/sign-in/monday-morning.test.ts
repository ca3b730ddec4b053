import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, adminAddress, userAddress } from '../../../test/support/api-world.ts';
import { CookieJar } from '../../../test/support/cookie-jar.ts';
import { sleep } from '../../ports/clock.ts';
import type { Mail } from '../../ports/mailer.ts';

let world: ApiWorld;
afterEach(() => world?.stop());

const ask = (email: string) => world.call('requestOtp', { body: { email } });
const verify = (email: string, otp: string) => world.call('verifyOtp', { body: { email, otp } });
const wrongCode = (right: string) => (right.startsWith('9') ? `0${right.slice(1)}` : `9${right.slice(1)}`);

describe('attack 29: a Monday morning behind one ingress, with a stranger there', () => {
  type Morning = {
    readonly email: string;
    readonly person: CookieJar;
    readonly stranger: CookieJar;
    count(what: string, status: number): void;
  };
  const asks = async ({ email, person, count }: Morning) => {
    count('asked', (await person.ask(email)).statusCode);
    return world.lastCode(email);
  };
  const types = async ({ email, person, count }: Morning, otp: string) =>
    count('signed in', (await person.verify(email, otp)).statusCode);
  const guess = ({ email, stranger }: Morning) => stranger.verify(email, wrongCode(world.lastCode(email)));
  const twice = async (act: () => Promise<unknown>) => {
    await act();
    await act();
  };

  /** Two codes and two guesses a person, in every order that hurts: a thousand of each. */
  const orders: Readonly<Record<string, (morning: Morning) => Promise<void>>> = {
    'asks and guesses before each person': async (morning) => {
      await twice(() => morning.stranger.ask(morning.email));
      await twice(() => guess(morning));
      await types(morning, await asks(morning));
    },
    'asks before, guesses at the code of the person': async (morning) => {
      await twice(() => morning.stranger.ask(morning.email));
      const otp = await asks(morning);
      await twice(() => guess(morning));
      await types(morning, otp);
    },
    'asks and guesses after each person': async (morning) => {
      const otp = await asks(morning);
      await twice(() => morning.stranger.ask(morning.email));
      await twice(() => guess(morning));
      await types(morning, otp);
    },
    'guesses before it asks, after each person': async (morning) => {
      const otp = await asks(morning);
      await twice(() => guess(morning));
      await twice(() => morning.stranger.ask(morning.email));
      await types(morning, otp);
    },
    'asks and guesses around each person in turn': async (morning) => {
      await morning.stranger.ask(morning.email);
      await guess(morning);
      const otp = await asks(morning);
      await morning.stranger.ask(morning.email);
      await guess(morning);
      await types(morning, otp);
    },
    'asks after each person, who types the newest mail': async (morning) => {
      await asks(morning);
      await twice(() => morning.stranger.ask(morning.email));
      await twice(() => guess(morning));
      await types(morning, world.lastCode(morning.email));
    },
    'asks as another browser each time': async (morning) => {
      const otp = await asks(morning);
      await twice(() => new CookieJar(world).ask(morning.email));
      await twice(() => verify(morning.email, wrongCode(otp)));
      await types(morning, otp);
    },
    'asks for nobody and for others': async (morning) => {
      await ask(`nobody-${morning.email}`);
      const otp = await asks(morning);
      await ask(`outside-${morning.email.split('@', 1)[0]}@elsewhere.example`);
      await twice(() => guess(morning));
      await types(morning, otp);
    },
  };
  it.each(Object.entries(orders))('five hundred of five hundred sign in where the stranger %s', async (_, order) => {
    world = await ApiWorld.start();
    const statuses = new Map<string, number>();
    const count = (what: string, status: number) =>
      statuses.set(`${what} ${status}`, (statuses.get(`${what} ${status}`) ?? 0) + 1);
    const stranger = new CookieJar(world);
    for (let index = 0; index < 500; index++) {
      await order({ email: `person${index}@example.com`, person: new CookieJar(world), stranger, count });
      await world.clock.advance(1_000);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 'asked 200': 500, 'signed in 200': 500 });
  });

  it('five hundred of five hundred sign in where the stranger spends the codes of 333, who ask once more', async () => {
    world = await ApiWorld.start();
    let signedIn = 0;
    for (let index = 0; index < 500; index++) {
      const email = `person${index}@example.com`;
      const person = new CookieJar(world);
      await twice(() => ask(email));
      await person.ask(email);
      const otp = world.lastCode(email);
      for (let turn = 0; index < 333 && turn < 3; turn++) await verify(email, wrongCode(otp));
      const first = await person.verify(email, otp);
      expect(first.statusCode).toBe(index < 333 ? 429 : 200);
      const again = first.statusCode === 200 ? first : await person.signIn(email);
      if (again.statusCode === 200) signedIn++;
      await world.clock.advance(1_000);
    }
    expect(signedIn).toBe(500);
  });

  it('five hundred of five hundred sign in where the stranger uses up the mails of 200 before they come: they type the newest', async () => {
    world = await ApiWorld.start();
    const stranger = new CookieJar(world);
    for (let index = 0; index < 200; index++) {
      for (let turn = 0; turn < 5; turn++) await stranger.ask(`person${index}@example.com`);
    }
    let signedIn = 0;
    for (let index = 0; index < 500; index++) {
      const email = `person${index}@example.com`;
      const person = new CookieJar(world);
      const newest = world.inbox.last(email);
      await person.ask(email);
      const mailed = world.inbox.last(email) !== newest;
      for (let turn = 0; turn < 2; turn++) await stranger.verify(email, wrongCode(world.lastCode(email)));
      if ((await person.verify(email, world.lastCode(email))).statusCode === 200) signedIn++;
      // Who comes late finds room for a mail of their own again.
      expect([index, mailed]).toEqual([index, index >= 200]);
      await world.clock.advance(500);
    }
    expect(signedIn).toBe(500);
  });

  it('five hundred of five hundred sign in where the stranger uses up mails and code of 100, again at each refill', async () => {
    world = await ApiWorld.start();
    const stranger = new CookieJar(world);
    const email = (index: number) => `person${index}@example.com`;
    const attacked = Array.from({ length: 100 }, (_, index) => email(5 * index));
    let guesses = 0;
    /** Whatever the limits let through of five asks; then three guesses at what was mailed last. */
    const attack = async (address: string) => {
      for (let turn = 0; turn < 5; turn++) await stranger.ask(address);
      for (let turn = 0; turn < 3 && guesses < 1_000; turn++, guesses++)
        await stranger.verify(address, wrongCode(world.lastCode(address)));
    };
    const tries = async (address: string, person: CookieJar, meanwhile: () => Promise<void>) => {
      expect([address, (await person.ask(address)).statusCode]).toEqual([address, 200]);
      const otp = world.lastCode(address);
      await meanwhile();
      return (await person.verify(address, otp)).statusCode === 200;
    };
    for (const address of attacked) await attack(address);
    let signedIn = 0;
    for (let second = 0; second < 500; second++) {
      if (second === 300) for (const address of attacked) await attack(address);
      const [address, person] = [email(second), new CookieJar(world)];
      // The guesses that are left go to the codes that people are about to type: once to each of them, and twice to a third.
      for (let turn = 0, signed = false; turn < 3 && !signed; turn++) {
        const isAttacked = attacked.includes(address) && turn < (second % 15 === 0 ? 2 : 1);
        signed = await tries(address, person, async () => (isAttacked ? attack(address) : undefined));
        if (signed) signedIn++;
      }
      await world.clock.advance(1_000);
    }
    expect([guesses, signedIn]).toEqual([1_000, 500]);
  });

  const paces = { 'in the first minute': 60, 'all the ten minutes': 600 } as const;
  it.each([
    [1_000, 'in the first minute'],
    [1_000, 'all the ten minutes'],
    [2_000, 'in the first minute'],
    [2_000, 'all the ten minutes'],
  ] as const)(
    'five hundred of five hundred get their code in time where a mail takes %i ms and the stranger asks for a thousand invented names %s',
    async (mailMs, pace) => {
      const arrived = new Map<string, string>();
      const send = async ({ to, text }: Mail) => {
        await sleep(world.clock, mailMs);
        arrived.set(to, /\b\d{8}\b/.exec(text)?.[0] ?? '');
      };
      world = await ApiWorld.start({ mailer: () => ({ send }) });
      const waiting = new Set<{ email: string; person: CookieJar; asked: number; asks: number }>();
      const statuses = new Set<number>();
      let [people, invented, signedIn] = [0, 0, 0];
      for (let second = 0; second < 1_200 && signedIn < 500; second++) {
        for (; invented < Math.min(1_000, (1_000 * (second + 1)) / paces[pace]); invented++)
          statuses.add((await ask(`invented${invented}@example.com`)).statusCode);
        for (; people < Math.min(500, (500 * (second + 1)) / 600); people++)
          waiting.add({ email: `person${people}@example.com`, person: new CookieJar(world), asked: -60, asks: 0 });
        for (const one of waiting) {
          const otp = arrived.get(one.email);
          if (otp !== undefined && (await one.person.verify(one.email, otp)).statusCode === 200) {
            waiting.delete(one);
            signedIn++;
          } else if (second - one.asked >= 60 && one.asks < 5) {
            // Whoever waits for a minute asks again.
            Object.assign(one, { asked: second, asks: one.asks + 1 });
            statuses.add((await one.person.ask(one.email)).statusCode);
          }
        }
        await world.clock.advance(1_000);
      }
      expect([signedIn, invented, [...statuses]]).toEqual([500, 1_000, [200]]);
    },
  );

  it('an admin waits for none of what a stranger asked for before, in a browser that is not known either', async () => {
    const arrived: string[] = [];
    const send = async ({ to }: Mail) => {
      await sleep(world.clock, 1_000);
      arrived.push(to);
    };
    world = await ApiWorld.start({ mailer: () => ({ send }) });
    for (let index = 0; index < 330; index++) expect((await ask(`invented${index}@example.com`)).statusCode).toBe(200);
    const before = world.clock.monotonic();
    expect((await ask(adminAddress)).statusCode).toBe(200);
    await world.settleUntil(() => arrived.includes(adminAddress));
    expect(world.clock.monotonic() - before).toBeLessThan(3_000);
  });

  it('a code that has been replaced gets no fourth guess in the browser that asked for it', async () => {
    world = await ApiWorld.start();
    const [one, other] = [new CookieJar(world), new CookieJar(world)];
    await one.ask(userAddress);
    const right = world.lastCode(userAddress);
    const codes: string[] = [];
    const guess = async (otp: string) => codes.push((await one.verify(userAddress, otp)).json().code);
    await guess(wrongCode(right));
    await guess(wrongCode(right));
    // A new request lifts the limit of the address, and this code has had two.
    await other.ask(userAddress);
    await guess(wrongCode(right));
    await guess(right);
    expect(codes).toEqual(['invalid_code', 'invalid_code', 'invalid_code', 'too_many_attempts']);
    expect((await one.verify(userAddress, world.lastCode(userAddress))).statusCode).toBe(200);
  });

  it('no code gets a fourth guess', async () => {
    world = await ApiWorld.start();
    const jar = new CookieJar(world);
    await jar.ask(userAddress);
    const right = world.lastCode(userAddress);
    const codes: string[] = [];
    for (let guessed = 0; guessed < 3; guessed++)
      codes.push((await jar.verify(userAddress, wrongCode(right))).json().code);
    codes.push((await jar.verify(userAddress, right)).json().code);
    expect(codes).toEqual(['invalid_code', 'invalid_code', 'too_many_attempts', 'too_many_attempts']);
  });
});
