import { afterEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { ApiWorld, adminAddress, jwtSecret, userAddress } from '../../../test/support/api-world.ts';
import { goodConfig } from '../../../test/support/builders/config.ts';
import { CookieJar as WorldCookieJar } from '../../../test/support/cookie-jar.ts';
import { parseAddress } from '../../domain/address/address.ts';
import { configMaps } from '../../domain/names.ts';
import { cryptographicRandom } from '../../platform/random.ts';
import { type EndedSession, endedSessions, mostEndedSessions, withEnded } from '../../state/access/ended-sessions.ts';
import { Keys } from './keys.ts';
import { OneTimeCodes } from './one-time-codes.ts';
import { browserCookie, refreshCookie } from './routes.ts';
import { SignInLimits, signInRates } from './sign-in-limits.ts';

let world: ApiWorld;
afterEach(() => world?.stop());

const minute = 60_000;
const ask = (email: string, headers = {}) => world.call('requestOtp', { body: { email }, headers });
const verify = (email: string, otp: string, headers = {}) => world.call('verifyOtp', { body: { email, otp }, headers });
const wrongCode = (right: string) => (right.startsWith('9') ? `0${right.slice(1)}` : `9${right.slice(1)}`);

describe('a one-time code', () => {
  it('of a hundred parallel guesses at most three are judged; then the right one is refused', async () => {
    world = await ApiWorld.start();
    await ask(userAddress);
    const right = world.lastCode(userAddress);
    const guesses = Array.from({ length: 100 }, () => verify(userAddress, wrongCode(right)));
    const codes = (await Promise.all(guesses)).map((answer) => answer.json().code);
    expect(codes.filter((code) => code === 'invalid_code')).toHaveLength(2);
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(98);
    const late = await verify(userAddress, right);
    expect([late.statusCode, late.json()]).toEqual([429, { code: 'too_many_attempts', message: 'too many attempts' }]);
    await ask(userAddress);
    expect((await verify(userAddress, world.lastCode(userAddress))).statusCode).toBe(200);
  });

  it('succeeds once, of any number of right ones at the same time', async () => {
    world = await ApiWorld.start();
    await ask(userAddress);
    const right = world.lastCode(userAddress);
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(userAddress, right)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  it('is uniform over 8 digits, with leading zeros', () => {
    const codes = new OneTimeCodes(new VirtualClock(0), cryptographicRandom, new Keys(jwtSecret));
    const counts = Array.from({ length: 8 }, () => new Array<number>(10).fill(0));
    for (let index = 0; index < 4000; index++) {
      const { code } = codes.make(`a${index}@example.com`, '').issued;
      expect(code).toMatch(/^\d{8}$/);
      for (const [place, digit] of [...code].entries()) counts[place]![Number(digit)]!++;
    }
    // 400 expected in each cell, a standard deviation of 19: six of them is out of reach for fair digits.
    for (const place of counts) for (const count of place) expect(Math.abs(count - 400)).toBeLessThan(115);
  });

  it('ends after ten minutes, also on a clock that is set back', async () => {
    world = await ApiWorld.start();
    await ask(userAddress);
    const right = world.lastCode(userAddress);
    world.clock.jumpWallClock(-60 * minute);
    await world.clock.advance(10 * minute + 1);
    expect((await verify(userAddress, right)).json()).toEqual({
      code: 'invalid_code',
      message: 'The code is wrong or has expired.',
    });
  });

  it('is replaced by a new one', async () => {
    world = await ApiWorld.start();
    await ask(userAddress);
    const first = world.lastCode(userAddress);
    await ask(userAddress);
    expect((await verify(userAddress, first)).statusCode).toBe(401);
    expect((await verify(userAddress, world.lastCode(userAddress))).statusCode).toBe(200);
  });

  it('is asked for alike by known, unknown and admin addresses', async () => {
    world = await ApiWorld.start();
    await world.signIn(userAddress);
    const answers = [];
    for (const email of [userAddress, 'nobody@example.com', adminAddress]) {
      const { statusCode, body, headers } = await ask(email);
      const { 'set-cookie': _cookie, date: _date, ...rest } = headers;
      answers.push({ statusCode, body: body.replace(/"expiresAt":"[^"]*"/, ''), rest });
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('is mailed only after the answer: a mail server that hangs delays nobody', async () => {
    world = await ApiWorld.start({ mailer: () => ({ send: () => new Promise(() => {}) }) });
    const app = world.running.api.server.app;
    const payload = { email: userAddress };
    const answer = await world.settle(app.inject({ method: 'POST', url: '/api/v1/auth/request-otp', payload }));
    expect(answer.statusCode).toBe(200);
  });
});

const mailsTo = (email: string) => world.inbox.mails.filter(({ to }) => to === email).length;
/** How many mails an act brings. */
const mailsOf = async (email: string, act: () => Promise<unknown>) => {
  const newest = world.inbox.last(email);
  await act();
  return world.inbox.last(email) === newest ? 0 : 1;
};

describe('what a stranger is told', () => {
  /** All of an answer but what the time makes of it. */
  const told = async (email: string, client: string) => {
    const { statusCode, body, headers } = await ask(email, { 'x-forwarded-for': client });
    const { 'set-cookie': cookie, date: _date, ...rest } = headers;
    const text = body.replace(/"expiresAt":"[^"]*"/, '');
    return { statusCode, text, cookie: String(cookie).replace(/=[^;]+/, '='), rest };
  };

  const people: Readonly<Record<string, (email: string) => Promise<unknown>>> = {
    'who has signed in': (email) => world.signIn(email),
    'for whom codes were asked before': async (email) => {
      for (let turn = 0; turn < 7; turn++) await ask(email);
    },
    'whose code was spent by guesses': async (email) => {
      await ask(email);
      for (let turn = 0; turn < 3; turn++) await verify(email, wrongCode(world.lastCode(email)));
    },
  };
  it.each(Object.entries(people))(
    'of an address %s is what he is told of one that nobody has, answer by answer until his network has used up its codes',
    async (_, before) => {
      const somebody = 'somebody@outside.example';
      world = await ApiWorld.start();
      await before(somebody);
      const statuses = new Set<number>();
      for (let turn = 0; turn < 25; turn++) {
        const known = await told(somebody, '198.51.100.7');
        const unknown = await told(`nobody${turn}@outside.example`, '198.51.100.8');
        expect([turn, known]).toEqual([turn, unknown]);
        statuses.add(known.statusCode);
      }
      expect([...statuses]).toEqual([200, 429]);
    },
  );

  it('of an admin is what he is told of a colleague whom nobody has, and the mails of the admin come all the same', () => {
    const clock = new VirtualClock(0);
    const parsed = (text: string) => {
      const read = parseAddress(text);
      if (!read.ok) throw new Error(text);
      return read.address;
    };
    const config = goodConfig({ auth: { adminUsers: [adminAddress] } });
    const caller = { client: '198.51.100.7', known: false };
    const [one, other] = [new SignInLimits(clock), new SignInLimits(clock)];
    for (let turn = 0; turn < 3_005; turn++) {
      const nobody = other.mail(parsed(`nobody${turn}@example.com`), caller, config, false);
      expect(one.mail(parsed(adminAddress), caller, config, false).met).toEqual(nobody.met);
      expect(nobody.mailed).toBe(turn < 3_000);
    }
    expect(one.mail(parsed(adminAddress), caller, config, true).mailed).toBe(true);
  });
});

describe('limits', () => {
  it('a thousand requests for one address from fifty clients: five mails, and others still sign in', async () => {
    world = await ApiWorld.start();
    const statuses = new Set<number>();
    for (let index = 0; index < 1000; index++) {
      const client = { 'x-forwarded-for': `203.0.113.${index % 50}` };
      statuses.add((await ask(userAddress, client)).statusCode);
    }
    // Whether a code was asked for before is nobody else's business.
    expect([...statuses]).toEqual([200]);
    expect(world.inbox.mails.filter(({ to }) => to === userAddress)).toHaveLength(5);
    expect((await world.signIn('carol@example.com')).token).toBeTruthy();
  });

  it('to addresses outside the company: twenty an hour and client, counted by the address that a trusted hop vouches for', async () => {
    world = await ApiWorld.start();
    const from = (forwarded: string) => ({ 'x-forwarded-for': forwarded });
    for (let index = 0; index < 20; index++) {
      // What stands before the last hop is the client's own claim.
      const answer = await ask(`user${index}@outside.example`, from(`10.9.8.${index}, 198.51.100.7`));
      expect(answer.statusCode).toBe(200);
    }
    const refused = await ask('more@outside.example', from('1.2.3.4, 198.51.100.7'));
    expect([refused.statusCode, refused.json().code, Number(refused.headers['retry-after']) > 100]).toEqual([
      429,
      'rate_limited',
      true,
    ]);
    expect(refused.json().message).toBe(
      'Too many codes were asked for from this network in this hour. An address that has signed in before is mailed one all the same, and it can be typed in here.',
    );
    expect((await ask('more@outside.example', from('198.51.100.8'))).statusCode).toBe(200);
    await world.clock.advance(61 * minute);
    expect((await ask('more@outside.example', from('198.51.100.7'))).statusCode).toBe(200);
  });

  it('an IPv6 client is its /64', async () => {
    world = await ApiWorld.start();
    for (let index = 0; index < 20; index++) {
      const hop = { 'x-forwarded-for': `2001:470:1f0b:1::${index.toString(16)}` };
      expect((await ask(`user${index}@outside.example`, hop)).statusCode).toBe(200);
    }
    const hop = { 'x-forwarded-for': '2001:470:1f0b:1:ffff::1' };
    expect((await ask('more@outside.example', hop)).statusCode).toBe(429);
    expect((await ask('more@outside.example', { 'x-forwarded-for': '2001:470:1f0b:2::1' })).statusCode).toBe(200);
  });

  it('a browser that has signed in before gets its mail, whatever strangers ask for its address', async () => {
    world = await ApiWorld.start();
    const jar = new CookieJar();
    expect((await jar.signIn(userAddress)).statusCode).toBe(200);
    for (let turn = 0; turn < 20; turn++) await ask(userAddress);
    expect(await mailsOf(userAddress, () => ask(userAddress))).toBe(0);
    expect(await mailsOf(userAddress, () => jar.ask(userAddress))).toBe(1);
    expect((await jar.verify(userAddress, world.lastCode(userAddress))).statusCode).toBe(200);
    // Its word counts for its own address alone.
    for (let turn = 0; turn < 20; turn++) await ask(adminAddress);
    expect(await mailsOf(adminAddress, () => jar.ask(adminAddress))).toBe(0);
  });

  it('a stranger who spends the codes of an address is lifted by a new request within minutes', async () => {
    world = await ApiWorld.start();
    for (let turn = 0; turn < 10; turn++) await ask(userAddress);
    expect(await mailsOf(userAddress, () => ask(userAddress))).toBe(0);
    const held = world.log.filter(({ message }) => message.startsWith('No code was mailed'));
    expect(held.map(({ fields }) => fields)).toEqual([{ to: userAddress }]);
    await world.clock.advance(5 * minute);
    expect(await mailsOf(userAddress, () => ask(userAddress))).toBe(1);
  });

  it('of its own mails a browser that has signed in before is told', async () => {
    world = await ApiWorld.start();
    const jar = new CookieJar();
    await jar.signIn(userAddress);
    for (let turn = 0; turn < 5; turn++) expect((await jar.ask(userAddress)).statusCode).toBe(200);
    const refused = await jar.ask(userAddress);
    expect([refused.statusCode, refused.json().message]).toEqual([
      429,
      'Too many codes were asked for this address: five may be, and then one every five minutes. The newest one that was mailed can be typed in here.',
    ]);
  });

  describe('a code that wrong guesses have spent', () => {
    const spend = async (email: string) => {
      for (let turn = 0; turn < 3; turn++) await verify(email, wrongCode(world.lastCode(email)));
    };

    it('is replaced at once, though all mails to the address were used up', async () => {
      world = await ApiWorld.start();
      for (let turn = 0; turn < 10; turn++) await ask(userAddress);
      await spend(userAddress);
      expect((await new CookieJar().signIn(userAddress)).statusCode).toBe(200);
    });

    it('is replaced once: the new one has to be typed, or spent', async () => {
      world = await ApiWorld.start();
      for (let turn = 0; turn < 10; turn++) await ask(userAddress);
      await spend(userAddress);
      expect(await mailsOf(userAddress, () => ask(userAddress))).toBe(1);
      expect(await mailsOf(userAddress, () => ask(userAddress))).toBe(0);
      expect((await new CookieJar().verify(userAddress, world.lastCode(userAddress))).statusCode).toBe(200);
    });

    it('is replaced twenty times in four hours, and then when the limits let it: nobody is buried in mails', async () => {
      world = await ApiWorld.start();
      for (let turn = 0; turn < 40; turn++) {
        await ask(userAddress);
        await spend(userAddress);
      }
      expect(mailsTo(userAddress)).toBe(25);
      expect(await mailsOf(userAddress, () => ask(userAddress))).toBe(0);
      for (let turn = 0; turn < 24 * 12; turn++) {
        await world.clock.advance(5 * minute);
        for (const _ of [1, 2, 3]) {
          await ask(userAddress);
          await spend(userAddress);
        }
      }
      // A day of it: one every five minutes, one more every twelve, and what the buckets held at first.
      expect(mailsTo(userAddress)).toBe(25 + 24 * 12 + 24 * 5);
    });

    it('is replaced in a browser that has signed in before, when its own mails are used up too', async () => {
      world = await ApiWorld.start();
      const jar = new CookieJar();
      await jar.signIn(userAddress);
      for (let turn = 0; turn < 7; turn++) {
        expect((await jar.ask(userAddress)).statusCode).toBe(200);
        await spend(userAddress);
      }
      expect((await jar.signIn(userAddress)).statusCode).toBe(200);
    });

    it('is replaced no more when those are used up, and a browser that has signed in before is told so', async () => {
      world = await ApiWorld.start();
      const jar = new CookieJar();
      await jar.signIn(userAddress);
      for (let turn = 0; turn < 25; turn++) {
        expect((await jar.ask(userAddress)).statusCode).toBe(200);
        await spend(userAddress);
      }
      const refused = await jar.ask(userAddress);
      expect([refused.statusCode, refused.json().message]).toEqual([
        429,
        'Too many codes were asked for this address, and wrong tries have spent the newest. A new one can be asked for in a few minutes.',
      ]);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(300);
    });

    it('is replaced when the mails of the company are used up, and a thousand a day of invented addresses', async () => {
      world = await ApiWorld.start();
      const sent = async () => {
        let mails = 0;
        for (let turn = 0; turn < 1_500; turn++) {
          const email = `invented${turn}@example.com`;
          const mailed = await mailsOf(email, () => ask(email));
          if (mailed > 0) await spend(email);
          mails += mailed;
        }
        return mails;
      };
      expect([await sent(), await sent(), await sent()]).toEqual([1_500, 1_500, 1_000]);
      await ask(adminAddress);
      for (let turn = 0; turn < 6; turn++) {
        await spend(adminAddress);
        expect(await mailsOf(adminAddress, () => ask(adminAddress))).toBe(1);
      }
    });

    it('is not one that was used: that gives no mail back', async () => {
      world = await ApiWorld.start();
      for (let turn = 0; turn < 5; turn++) await ask(userAddress);
      await verify(userAddress, world.lastCode(userAddress));
      expect(await mailsOf(userAddress, () => ask(userAddress))).toBe(0);
    });
  });
});

describe('a stranger behind the same ingress', () => {
  it('who asks for the codes of somebody and guesses at those of others does not keep them from typing what was mailed', async () => {
    world = await ApiWorld.start();
    for (let turn = 0; turn < 6; turn++) await ask(userAddress);
    for (let turn = 0; turn < 300; turn++) await verify(`nobody${turn}@example.com`, '00000000');
    const jar = new CookieJar();
    expect(await mailsOf(userAddress, () => jar.ask(userAddress))).toBe(0);
    expect((await jar.verify(userAddress, world.lastCode(userAddress))).statusCode).toBe(200);
  });

  it('who asks for a code after somebody has asked does not make theirs worthless in their browser', async () => {
    world = await ApiWorld.start();
    const jar = new CookieJar();
    await jar.ask(userAddress);
    const own = world.lastCode(userAddress);
    const stranger = new CookieJar();
    for (let turn = 0; turn < 3; turn++) await stranger.ask(userAddress);
    // Elsewhere only the newest counts.
    expect((await verify(userAddress, own)).json().code).toBe('invalid_code');
    expect((await jar.verify(userAddress, own)).statusCode).toBe(200);
    expect((await verify(userAddress, world.lastCode(userAddress))).json().code).toBe('invalid_code');
  });

  it('who invents addresses of the company keeps no mail from an admin, nor from who has signed in before', async () => {
    world = await ApiWorld.start();
    const before = new CookieJar();
    expect((await before.signIn(userAddress)).statusCode).toBe(200);
    await world.clock.advance(30 * minute);
    for (let turn = 0; turn < 3_100; turn++) await ask(`invented${turn}@example.com`);
    expect((await ask('one-more@example.com')).statusCode).toBe(429);
    for (const address of [adminAddress, userAddress]) {
      const elsewhere = new CookieJar();
      expect((await elsewhere.signIn(address)).statusCode).toBe(200);
    }
  });
});

/** A browser: keeps the cookies that it is given. */
class CookieJar extends WorldCookieJar {
  constructor() {
    super(world);
  }
}

describe('who may sign in', () => {
  it('nobody while mail is off', async () => {
    world = await ApiWorld.start({ config: { smtp: { enabled: false } } });
    for (const answer of [await ask(userAddress), await verify(userAddress, '12345678')]) {
      expect([answer.statusCode, answer.json()]).toEqual([403, { code: 'smtp_disabled', message: 'SMTP is disabled' }]);
    }
  });

  it('only allowed domains, refused before any mail and told which are allowed', async () => {
    world = await ApiWorld.start({ config: { auth: { allowedEmailDomains: ['example.com', 'example.org'] } } });
    const refused = await ask('eve@evil.com');
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      {
        code: 'domain_not_allowed',
        message: 'The domain evil.com is not allowed. Allowed are: example.com, example.org.',
        details: { allowedDomains: ['example.com', 'example.org'] },
      },
    ]);
    expect(world.inbox.mails).toHaveLength(0);
    expect((await ask('eve@EXAMPLE.org')).statusCode).toBe(200);
  });

  const addresses = {
    'two @': 'ada@evil.com@example.com',
    'a line break and a header': 'ada@example.com\r\nBcc: eve@evil.com',
    'a further recipient': 'ada@example.com,eve@evil.com',
    'a display name': 'Ada <ada@example.com>',
    'a domain that looks like another': 'ada@ex\u0430mple.com',
    'a full-width domain': 'ada@ｅxample.com',
    'an invisible character': 'ada\u200b@example.com',
    'a subdomain': 'ada@mail.example.com',
    'a trailing dot': 'ada@example.com.',
    'a null character': 'ada@example.com\u0000',
    nothing: '',
  } as const;
  for (const [name, email] of Object.entries(addresses)) {
    it(`no address with ${name}`, async () => {
      world = await ApiWorld.start({ config: { auth: { allowedEmailDomains: ['example.com'] } } });
      const answer = await ask(email);
      expect([400, 403]).toContain(answer.statusCode);
      expect(['invalid_request', 'domain_not_allowed']).toContain(answer.json().code);
      expect(world.inbox.mails).toHaveLength(0);
    });
  }

  it('an address is one in any case, and a look-alike of an admin is none', async () => {
    world = await ApiWorld.start();
    await ask('ADA@Example.COM');
    const session = (await verify('ada@EXAMPLE.com', world.lastCode(adminAddress))).json();
    expect(session.user).toEqual({ email: adminAddress, admin: true, member: true, shownAs: adminAddress });
    const other = await world.signIn('ad\u0430@example.com');
    expect(other.user.admin).toBe(false);
  });
});

describe('a sign-in link', () => {
  async function askInBrowser() {
    const asked = await ask(userAddress);
    const cookie = String(asked.headers['set-cookie']).split(';')[0]!;
    const link = /#\/sign-in\?link=([\w-]+)/.exec(world.inbox.last(userAddress)!.text)![1]!;
    return { cookie, link };
  }
  const open = (token: string, headers = {}) => world.call('openMagicLink', { body: { token }, headers });

  it('has its 256 bits in the fragment and signs in the browser that asked, once', async () => {
    world = await ApiWorld.start();
    const { cookie, link } = await askInBrowser();
    expect(Buffer.from(link, 'base64url')).toHaveLength(32);
    expect(world.inbox.last(userAddress)!.text).toContain('https://svc.example.com/#/sign-in?link=');
    expect((await open(link, { cookie })).json().user.email).toBe(userAddress);
    expect((await open(link, { cookie })).statusCode).toBe(401);
  });

  it('opened by HEAD, GET, a script without the cookie or another browser is neither consumed nor a session', async () => {
    world = await ApiWorld.start();
    const { cookie, link } = await askInBrowser();
    for (const method of ['HEAD', 'GET'] as const) {
      const { statusCode } = await world.inject({ method, url: `/api/v1/auth/magic-link?token=${link}` });
      expect([404, 405]).toContain(statusCode);
    }
    for (const headers of [{}, { cookie: `${browserCookie}=another` }]) {
      expect((await open(link, headers)).json().code).toBe('invalid_link');
    }
    expect((await open(link, { cookie })).statusCode).toBe(200);
    expect(JSON.stringify(world.log)).not.toContain(link);
  });

  it('is spent by three wrong codes, and by the right one', async () => {
    world = await ApiWorld.start();
    const { cookie, link } = await askInBrowser();
    for (let index = 0; index < 3; index++) await verify(userAddress, wrongCode(world.lastCode(userAddress)));
    expect((await open(link, { cookie })).json().code).toBe('invalid_link');
    const second = await askInBrowser();
    await verify(userAddress, world.lastCode(userAddress));
    expect((await open(second.link, { cookie: second.cookie })).statusCode).toBe(401);
  });

  it('whose own code has had three guesses is spent with it, though another browser has asked for a new one since', async () => {
    world = await ApiWorld.start();
    const { cookie, link } = await askInBrowser();
    const guess = () => world.call('verifyOtp', { body: { email: userAddress, otp: 'none' }, headers: { cookie } });
    await guess();
    await guess();
    // Lifts the limit of the address; the code of before keeps its own count.
    await askInBrowser();
    expect((await guess()).json().code).toBe('invalid_code');
    expect((await open(link, { cookie })).json().code).toBe('invalid_link');
  });
});

describe('a session', () => {
  const refresh = (refreshToken: string) => world.call('refreshSession', { body: { refreshToken } });

  it('keeps the refresh token of a browser where no script can read it', async () => {
    world = await ApiWorld.start();
    await ask(userAddress);
    const answer = await verify(userAddress, world.lastCode(userAddress));
    expect(answer.json()).not.toHaveProperty('refreshToken');
    const [cookie = ''] = [answer.headers['set-cookie']].flat();
    expect(cookie).toMatch(/^svc_refresh=[\w.-]+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/);
    const again = await world.call('refreshSession', { headers: { cookie: cookie.split(';')[0]! } });
    expect(again.statusCode).toBe(200);
    expect(String(again.headers['set-cookie'])).toContain(`${refreshCookie}=`);
  });

  it('rotates; the token before is taken again for 30 seconds, an older one ends it all', async () => {
    world = await ApiWorld.start();
    const first = await world.signIn(userAddress);
    const second = (await refresh(first.refreshToken!)).json();
    await world.clock.advance(20_000);
    const lost = await refresh(first.refreshToken!);
    expect(lost.statusCode).toBe(200);
    const third = (await refresh(lost.json().refreshToken)).json();
    expect((await world.call('me', {}, third.token)).statusCode).toBe(200);
    expect((await refresh(first.refreshToken!)).json()).toEqual({ code: 'unauthenticated', message: 'Sign in first.' });
    for (const { refreshToken } of [second, third]) expect((await refresh(refreshToken)).statusCode).toBe(401);
    expect((await world.call('me', {}, third.token)).statusCode).toBe(401);
  });

  it('is refreshed three hundred times an hour by one person, whoever else does; one that is told to wait goes on with its token', async () => {
    world = await ApiWorld.start();
    const { count, perMs } = signInRates.refreshes;
    let { refreshToken } = await world.signIn(userAddress);
    const second = await world.signIn(userAddress);
    for (let turn = 0; turn < count; turn++) refreshToken = (await refresh(refreshToken!)).json().refreshToken;
    for (const token of [refreshToken, second.refreshToken]) {
      const { statusCode, headers } = await refresh(token!);
      expect([statusCode, headers['retry-after']]).toEqual([429, String(perMs / count / 1000)]);
    }
    expect((await refresh((await world.signIn(adminAddress)).refreshToken!)).statusCode).toBe(200);
    await world.clock.advance(perMs / count);
    expect((await refresh(refreshToken!)).statusCode).toBe(200);
  });

  it('is not refreshed less by tokens that are none', async () => {
    world = await ApiWorld.start();
    const { refreshToken } = await world.signIn(userAddress);
    const next = (await refresh(refreshToken!)).json().refreshToken;
    await world.clock.advance(31_000);
    for (let turn = 0; turn < signInRates.refreshes.count + 1; turn++) await refresh(`${next}x`);
    expect((await refresh(next)).statusCode).toBe(200);
  });

  it('does not take the token before after 31 seconds', async () => {
    world = await ApiWorld.start();
    const first = await world.signIn(userAddress);
    await refresh(first.refreshToken!);
    await world.clock.advance(31_000);
    expect((await refresh(first.refreshToken!)).statusCode).toBe(401);
  });

  it('ends with a logout, for both of its tokens', async () => {
    world = await ApiWorld.start();
    const { token, refreshToken } = await world.signIn(userAddress);
    const out = await world.call('logout', { body: { refreshToken } });
    expect(String(out.headers['set-cookie'])).toMatch(/^svc_refresh=; .*Max-Age=0/);
    expect((await world.call('me', {}, token)).statusCode).toBe(401);
    expect((await refresh(refreshToken!)).statusCode).toBe(401);
  });

  it('stays ended after a restart, and others go on', async () => {
    world = await ApiWorld.start();
    const { token, refreshToken } = await world.signIn(userAddress);
    const other = await world.signIn(adminAddress);
    await world.call('logout', { body: { refreshToken } });
    await world.pass();
    expect(world.stateData()?.['ended_sessions']).not.toContain('bob');
    await world.restart();
    expect((await world.call('me', {}, token)).statusCode).toBe(401);
    expect((await refresh(refreshToken!)).statusCode).toBe(401);
    expect((await world.call('me', {}, other.token)).statusCode).toBe(200);
  });

  const hour = 60 * minute;
  const day = { tokenExpiry: '24h', refreshExpiry: '1h' };
  const week = { tokenExpiry: '1h', refreshExpiry: '168h' };
  const short = { tokenExpiry: '1h', refreshExpiry: '1h' };
  const outliving = {
    'its access token, which outlives the refresh token': { first: day, later: day, shows: ['refreshToken'] },
    'its access token, which is all that was shown': { first: day, later: day, shows: ['token'] },
    'a refresh token from before the configuration shortened them': {
      first: week,
      later: short,
      shows: ['refreshToken'],
    },
    'a refresh token that was not shown, from before the configuration shortened them': {
      first: week,
      later: short,
      shows: ['token'],
    },
    'an access token that was not shown, from before the configuration shortened them': {
      first: day,
      later: short,
      shows: ['refreshToken'],
    },
    'an access token from before the configuration shortened them': { first: day, later: short, shows: ['token'] },
    'the longer of the two, whichever it is': { first: day, later: short, shows: ['refreshToken', 'token'] },
  } as const;
  for (const [name, { first, later, shows }] of Object.entries(outliving)) {
    it(`stays ended as long as any of its tokens could live: ${name}`, async () => {
      world = await ApiWorld.start({ config: { auth: first } });
      const one = await world.signIn(userAddress);
      world.configure({ auth: later });
      await world.pass();
      const body = (shows as readonly string[]).includes('refreshToken') ? { refreshToken: one.refreshToken } : {};
      await world.call('logout', { body }, (shows as readonly string[]).includes('token') ? one.token : undefined);
      await world.pass(2 * hour);
      // What has expired goes from the state when the next one comes.
      await world.call('logout', { body: { refreshToken: (await world.signIn(adminAddress)).refreshToken } });
      await world.pass();
      await world.restart();
      expect((await world.call('me', {}, one.token)).statusCode).toBe(401);
      expect((await refresh(one.refreshToken!)).statusCode).toBe(401);
    });
  }

  it('stays ended as long as any of its tokens could live: one from before a refresh', async () => {
    world = await ApiWorld.start({ config: { auth: week } });
    const one = await world.signIn(userAddress);
    world.configure({ auth: short });
    await world.pass();
    const { token } = (await refresh(one.refreshToken!)).json();
    // Whoever signs out shows the newest token alone, and another process knows of nothing else.
    await world.restart();
    await world.call('logout', {}, token);
    await world.pass(2 * hour);
    await world.call('logout', { body: { refreshToken: (await world.signIn(adminAddress)).refreshToken } });
    await world.pass();
    await world.restart();
    expect((await refresh(one.refreshToken!)).statusCode).toBe(401);
  });

  it('stays ended as long as any of its tokens could live: one from after the token that was replayed', async () => {
    world = await ApiWorld.start({ config: { auth: short } });
    const one = await world.signIn(userAddress);
    world.configure({ auth: week });
    await world.pass();
    const two = (await refresh(one.refreshToken!)).json();
    world.configure({ auth: short });
    await world.pass(minute);
    expect((await refresh(one.refreshToken!)).statusCode).toBe(401);
    await world.pass(2 * hour);
    await world.call('logout', { body: { refreshToken: (await world.signIn(adminAddress)).refreshToken } });
    await world.pass();
    await world.restart();
    expect((await refresh(two.refreshToken)).statusCode).toBe(401);
  });

  it('that goes on with a token used before a restart ends as soon as its holder comes, for both', async () => {
    world = await ApiWorld.start();
    const first = await world.signIn(userAddress);
    const second = (await refresh(first.refreshToken!)).json();
    await world.clock.advance(minute);
    await world.restart();
    const replayed = await refresh(first.refreshToken!);
    expect(replayed.statusCode).toBe(200);
    expect((await refresh(second.refreshToken)).statusCode).toBe(401);
    expect((await world.call('me', {}, replayed.json().token)).statusCode).toBe(401);
    expect((await refresh(replayed.json().refreshToken)).statusCode).toBe(401);
  });

  it('that its holder has gone on with after a restart ends when a token used before it is shown', async () => {
    world = await ApiWorld.start();
    const first = await world.signIn(userAddress);
    const second = (await refresh(first.refreshToken!)).json();
    await world.clock.advance(minute);
    await world.restart();
    const third = (await refresh(second.refreshToken)).json();
    expect((await refresh(first.refreshToken!)).statusCode).toBe(401);
    expect((await world.call('me', {}, third.token)).statusCode).toBe(401);
  });

  it('goes on after an answer that was lost on a clock that was set back since', async () => {
    world = await ApiWorld.start();
    const first = await world.signIn(userAddress);
    await world.clock.advance(minute);
    await refresh(first.refreshToken!);
    world.clock.jumpWallClock(-20_000);
    const again = (await refresh(first.refreshToken!)).json();
    expect((await refresh(again.refreshToken)).statusCode).toBe(200);
  });

  it('that a replay has ended stays so as long as any of its tokens could live', async () => {
    world = await ApiWorld.start({ config: { auth: day } });
    const one = await world.signIn(userAddress);
    await refresh(one.refreshToken!);
    await world.pass(minute);
    expect((await refresh(one.refreshToken!)).statusCode).toBe(401);
    await world.pass(2 * hour);
    await world.call('logout', { body: { refreshToken: (await world.signIn(adminAddress)).refreshToken } });
    await world.pass();
    await world.restart();
    expect((await world.call('me', {}, one.token)).statusCode).toBe(401);
  });

  it('is ended at once and stored later when the state cannot be written just now', async () => {
    world = await ApiWorld.start();
    const { token, refreshToken } = await world.signIn(userAddress);
    const clear = world.cluster.api.faults.add({
      match: ({ verb, resource }) => resource === 'configmaps' && (verb === 'create' || verb === 'patch'),
      effect: { kind: 'fail', status: 403 },
    });
    expect((await world.call('logout', { body: { refreshToken } })).statusCode).toBe(200);
    expect((await world.call('me', {}, token)).statusCode).toBe(401);
    await world.pass();
    expect(world.stateData()?.['ended_sessions']).toBeUndefined();
    clear();
    await world.pass(11_000);
    await world.restart();
    expect((await world.call('me', {}, token)).statusCode).toBe(401);
  });

  it('that ends just before the API does stays ended, also where the write takes its time', async () => {
    world = await ApiWorld.start();
    const { token, refreshToken } = await world.signIn(userAddress);
    world.cluster.api.faults.add({
      match: ({ verb, resource }) => resource === 'configmaps' && (verb === 'create' || verb === 'patch'),
      effect: { kind: 'delay', ms: 3_000 },
    });
    await world.call('logout', { body: { refreshToken } });
    await world.restart();
    expect((await world.call('me', {}, token)).statusCode).toBe(401);
  });

  it('that could not be stored is tried again while the API stops', async () => {
    world = await ApiWorld.start();
    const { token, refreshToken } = await world.signIn(userAddress);
    world.cluster.api.faults.add({
      match: ({ verb, resource }) => resource === 'configmaps' && (verb === 'create' || verb === 'patch'),
      effect: { kind: 'fail', status: 403 },
      times: 3,
    });
    await world.call('logout', { body: { refreshToken } });
    await world.pass();
    expect(world.stateData()?.['ended_sessions']).toBeUndefined();
    await world.restart();
    expect((await world.call('me', {}, token)).statusCode).toBe(401);
  });

  it('that cannot be stored before the API has to end is told in the log', async () => {
    world = await ApiWorld.start();
    const { refreshToken } = await world.signIn(userAddress);
    const clear = world.cluster.api.faults.add({
      match: ({ verb, resource }) => resource === 'configmaps' && (verb === 'create' || verb === 'patch'),
      effect: { kind: 'fail', status: 403 },
    });
    await world.call('logout', { body: { refreshToken } });
    const asked = world.clock.monotonic();
    await world.restart();
    expect(world.clock.monotonic() - asked).toBeLessThan(30_000);
    clear();
    expect(world.log).toContainEqual(
      expect.objectContaining({
        message:
          'Stopped before sign-outs were stored; until their tokens expire they are good again after the restart',
        fields: { sessions: 1 },
      }),
    );
  });

  it('stays ended when five hundred others have ended since: whoever was not seen since then signs in again', async () => {
    world = await ApiWorld.start();
    const quiet = await world.signIn(adminAddress);
    const first = await world.signIn(userAddress);
    await world.clock.advance(60_000);
    await world.call('logout', { body: { refreshToken: first.refreshToken } });
    await world.pass();
    const stored = endedSessions.decode(world.stateData()?.['ended_sessions']);
    const [oldest] = stored.ok ? stored.value : [];
    const others = Array.from({ length: mostEndedSessions - 1 }, (_, index) => ({
      session: `other${index}`,
      at: oldest!.at! + index,
      until: oldest!.until + index,
    }));
    world.setState({ ...world.stateData(), ended_sessions: endedSessions.encode([oldest!, ...others])! });
    await world.clock.advance(2_000);
    const active = (await refresh((await world.signIn('active@example.com')).refreshToken!)).json();
    const last = await world.signIn('last@example.com');
    await world.call('logout', { body: { refreshToken: last.refreshToken } });
    await world.pass();
    // While the process lives it knows them one by one.
    expect((await world.call('me', {}, quiet.token)).statusCode).toBe(200);
    expect((await world.call('me', {}, first.token)).statusCode).toBe(401);
    await world.restart();
    expect((await world.call('me', {}, first.token)).statusCode).toBe(401);
    expect((await refresh(first.refreshToken!)).statusCode).toBe(401);
    expect((await world.call('me', {}, quiet.token)).statusCode).toBe(401);
    expect((await world.call('me', {}, active.token)).statusCode).toBe(200);
    expect((await refresh(active.refreshToken)).statusCode).toBe(200);
    expect((await world.signIn(adminAddress)).token).toEqual(expect.any(String));
  });

  it('that ended before a restart stays ended when five hundred others end after it', async () => {
    world = await ApiWorld.start();
    const ended = await world.signIn(userAddress);
    const quiet = await world.signIn(adminAddress);
    await world.clock.advance(2_000);
    await world.call('logout', { body: { refreshToken: ended.refreshToken } });
    await world.pass();
    await world.restart();
    expect((await world.call('me', {}, ended.token)).statusCode).toBe(401);
    const stored = endedSessions.decode(world.stateData()?.['ended_sessions']);
    const [own] = stored.ok ? stored.value : [];
    const since = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        session: `other${index}`,
        at: world.clock.now() + index,
        until: own!.until + 1 + index,
      }));
    for (const count of [mostEndedSessions - 1, mostEndedSessions + 5]) {
      const list = withEnded([own!], since(count), world.clock.now());
      world.setState({ ...world.stateData(), ended_sessions: endedSessions.encode(list)! });
      await world.pass();
      expect((await world.call('me', {}, ended.token)).statusCode).toBe(401);
    }
    expect(world.stateData()?.['ended_sessions']).not.toContain(own!.session);
    expect((await refresh(ended.refreshToken!)).statusCode).toBe(401);
    expect((await world.call('me', {}, quiet.token)).statusCode).toBe(200);
  });

  it('of a person whose sign-outs were told as one stays ended when those are folded among everybody’s', async () => {
    world = await ApiWorld.start();
    const ended = await world.signIn(userAddress);
    await world.clock.advance(2_000);
    await world.call('logout', { body: { refreshToken: ended.refreshToken } });
    await world.pass();
    const stored = endedSessions.decode(world.stateData()?.['ended_sessions']);
    const [own] = stored.ok ? stored.value : [];
    const setEnded = (list: readonly EndedSession[]) =>
      world.setState({ ...world.stateData(), ended_sessions: endedSessions.encode(list)! });
    setEnded([{ ...own!, session: '*' }]);
    await world.restart();
    expect((await world.call('me', {}, ended.token)).statusCode).toBe(401);
    setEnded([{ session: '*', at: own!.at!, until: own!.until }]);
    await world.pass();
    expect((await world.call('me', {}, ended.token)).statusCode).toBe(401);
  });

  it('from before a start is not taken while the list of ended ones cannot be decoded, and nobody overwrites it', async () => {
    world = await ApiWorld.start();
    const before = await world.signIn(adminAddress);
    const ended = await world.signIn(userAddress);
    await world.call('logout', { body: { refreshToken: ended.refreshToken } });
    await world.pass();
    const good = world.stateData()!['ended_sessions']!;
    await world.clock.advance(2_000);
    world.setState({ ...world.stateData(), ended_sessions: 'spoilt' });
    await world.pass();
    // Spoilt while it runs: what was read before still holds.
    expect((await world.call('me', {}, before.token)).statusCode).toBe(200);
    expect((await world.call('me', {}, ended.token)).statusCode).toBe(401);
    await world.restart();
    for (const { token } of [before, ended]) expect((await world.call('me', {}, token)).statusCode).toBe(503);
    expect((await refresh(before.refreshToken!)).statusCode).toBe(503);
    const after = await world.signIn(adminAddress);
    expect((await world.call('me', {}, after.token)).statusCode).toBe(200);
    await world.call('logout', { body: { refreshToken: (await world.signIn(userAddress)).refreshToken } });
    await world.pass();
    expect(world.stateData()?.['ended_sessions']).toBe('spoilt');
    expect(world.log.map(({ fields }) => String(fields['error']))).toContain(
      'The value of ended_sessions in ConfigMap svc-state cannot be decoded: it is not valid JSON.',
    );
    world.setState({ ...world.stateData(), ended_sessions: good });
    await world.pass();
    expect((await world.call('me', {}, before.token)).statusCode).toBe(200);
    expect((await world.call('me', {}, ended.token)).statusCode).toBe(401);
  });

  it('from before a start is not taken while the state cannot be read; once it can, those that have not ended go on', async () => {
    world = await ApiWorld.start();
    const [before, leaving] = [await world.signIn(adminAddress), await world.signIn('leaving@example.com')];
    const ended = await world.signIn(userAddress);
    await world.call('logout', { body: { refreshToken: ended.refreshToken } });
    await world.pass();
    const clear = world.cluster.api.faults.add({
      match: ({ verb, name }) => verb === 'get' && name.startsWith(configMaps.state),
      effect: { kind: 'fail', status: 403 },
    });
    await world.restart();
    for (const { token, refreshToken } of [before, ended]) {
      // Told that they are not signed in, browsers would throw away what is good again in a moment.
      for (const answer of [await world.call('me', {}, token), await refresh(refreshToken!)]) {
        expect([answer.statusCode, answer.headers['retry-after'], answer.json().code]).toEqual([
          503,
          '5',
          'managed_state_unavailable',
        ]);
      }
      expect((await world.call('me', {}, `${token}x`)).statusCode).toBe(401);
    }
    expect((await world.call('me', {}, await world.token(adminAddress))).statusCode).toBe(200);
    await world.call('logout', { body: { refreshToken: leaving.refreshToken } });
    await world.pass(20_000);
    expect((await world.call('me', {}, ended.token)).statusCode).toBe(503);
    clear();
    await world.pass(6_000);
    expect((await world.call('me', {}, before.token)).statusCode).toBe(200);
    expect((await refresh(before.refreshToken!)).statusCode).toBe(200);
    for (const { token, refreshToken } of [ended, leaving]) {
      expect((await world.call('me', {}, token)).statusCode).toBe(401);
      expect((await refresh(refreshToken!)).statusCode).toBe(401);
    }
  });

  it('loses its admin as soon as the configuration does', async () => {
    world = await ApiWorld.start();
    const token = await world.token(adminAddress);
    expect((await world.call('settings', {}, token)).statusCode).toBe(200);
    world.configure({ auth: { adminUsers: [] } });
    await world.pass();
    expect((await world.call('settings', {}, token)).statusCode).toBe(403);
    expect((await world.call('hibernationStatus', {}, token)).statusCode).toBe(200);
  });

  it('ends when its domain is removed: the refresh is refused with the allowed ones', async () => {
    world = await ApiWorld.start();
    const { token, refreshToken } = await world.signIn(userAddress);
    world.configure({ auth: { allowedEmailDomains: ['example.org'] } });
    await world.pass();
    expect((await world.call('me', {}, token)).statusCode).toBe(401);
    const refused = await refresh(refreshToken!);
    expect([refused.statusCode, refused.json().code, refused.json().details]).toEqual([
      403,
      'domain_not_allowed',
      { allowedDomains: ['example.org'] },
    ]);
  });

  it('ends with its token', async () => {
    world = await ApiWorld.start({ config: { auth: { tokenExpiry: '10m', refreshExpiry: '20m' } } });
    const { token, refreshToken } = await world.signIn(userAddress);
    await world.clock.advance(10 * minute - 2_000);
    expect((await world.call('me', {}, token)).statusCode).toBe(200);
    await world.clock.advance(2_000);
    expect((await world.call('me', {}, token)).statusCode).toBe(401);
    expect((await refresh(refreshToken!)).statusCode).toBe(200);
    await world.clock.advance(20 * minute);
    expect((await refresh(refreshToken!)).statusCode).toBe(401);
  });

  it('shows an address as the privacy settings say when the mail server refuses it and quotes it', async () => {
    world = await ApiWorld.start({
      config: { auth: { privacy: { domains: ['example.com'] } } },
      mailer: () => ({
        send: async ({ to }) => {
          throw new Error(
            `550 5.1.1 <${to.toUpperCase()}>: no such user; mailbox ${to.split('@')[0]} is unknown (${to})`,
          );
        },
      }),
    });
    await ask(userAddress);
    const logged = JSON.stringify(world.log);
    expect(logged).toContain('A mail could not be sent');
    expect(logged).toContain('550 5.1.1 <b***@example.com>: no such user');
    expect(logged.toLowerCase()).not.toContain('bob');
  });

  it('shows addresses as the privacy settings say, in state and logs', async () => {
    world = await ApiWorld.start({
      config: { auth: { privacy: { domains: ['example.com'] } }, operations: { enableApiAccessLogs: true } },
    });
    const token = await world.token(adminAddress);
    await world.call('standDown', {}, token);
    await world.call('triggerHibernation', {}, token);
    expect(JSON.parse(world.stateData()?.['stand_down'] ?? '').admin.actor).toBe('a***@example.com');
    expect(JSON.stringify([world.log, world.stateData()])).not.toContain(adminAddress);
    expect(JSON.stringify(world.log)).toContain('a***@example.com');
  });
});
