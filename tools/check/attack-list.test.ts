import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Attack {
  readonly number: number;
  readonly what: string;
  /** Files, each with words of the titles of its tests as they stand in the source. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

/** What is tried against the service, and where. A test that is renamed or removed has to be answered for here. */
const attacks: readonly Attack[] = [
  attack(1, 'a hundred guesses at once', {
    'src/api/sign-in/sign-in.test.ts': [
      'of a hundred parallel guesses at most three are judged; then the right one is refused',
      'succeeds once, of any number of right ones at the same time',
    ],
  }),
  attack(2, 'codes that can be foretold', {
    'src/api/sign-in/sign-in.test.ts': ['is uniform over 8 digits, with leading zeros'],
  }),
  attack(3, 'old codes, and a clock that is set back', {
    'src/api/sign-in/sign-in.test.ts': [
      'ends after ten minutes, also on a clock that is set back',
      'is replaced by a new one',
    ],
  }),
  attack(4, 'telling addresses apart', {
    'src/api/sign-in/sign-in.test.ts': [
      'is asked for alike by known, unknown and admin addresses',
      'is mailed only after the answer: a mail server that hangs delays nobody',
    ],
    'src/api/sign-in/same-time.test.ts': [
      'not while the mail server takes its time for one of them',
      'by how long the request for a code takes, over hundreds of them',
      'by how long a wrong code takes, with a code on its way and without',
      'by the work that is done: as many random bytes, mails and answers for each',
    ],
  }),
  attack(5, 'a flood of requests for one address', {
    'src/api/sign-in/sign-in.test.ts': [
      'a thousand requests for one address from fifty clients: five mails, and others still sign in',
    ],
  }),
  attack(6, 'addresses that pretend to be others', {
    'src/api/sign-in/sign-in.test.ts': [
      'no address with ',
      'an address is one in any case, and a look-alike of an admin is none',
    ],
    'src/domain/address/address.test.ts': ["'alice%evil.test@example.com'"],
    'src/api/sign-in/own-place.test.ts': ['at a host that is claimed, with a link to the external address'],
  }),
  attack(7, 'links opened by others', {
    'src/api/sign-in/sign-in.test.ts': [
      'opened by HEAD, GET, a script without the cookie or another browser is neither consumed nor a session',
      'is spent by three wrong codes, and by the right one',
    ],
  }),
  attack(8, 'forged tokens', {
    'src/api/sign-in/tokens.test.ts': [
      "'algorithm none'",
      "'another algorithm'",
      "'a kid'",
      "'a jwk'",
      "'another audience'",
      'of one type is not taken for another',
      'of another secret is refused',
      'cannot be signed with a short secret',
      'of the right type is taken until it expires',
    ],
  }),
  attack(9, 'sessions that should be over', {
    'src/api/sign-in/sign-in.test.ts': [
      'ends with a logout, for both of its tokens',
      'loses its admin as soon as the configuration does',
      'ends when its domain is removed: the refresh is refused with the allowed ones',
      'rotates; the token before is taken again for 30 seconds, an older one ends it all',
      'does not take the token before after 31 seconds',
    ],
    'src/api/sign-in/tokens.test.ts': ['of another secret is refused'],
  }),
  attack(10, 'routes without their role', {
    'src/api/server/roles.test.ts': ['every route and every role', 'is in the table', 'who is signed in being a %s'],
  }),
  attack(11, 'the internal secret from outside', {
    'src/api/server/roles.test.ts': ["'through the frontend'", "'in a query'", "'one character short'"],
    'src/frontend/frontend.test.ts': ["'/api/v1/%69nternal/frames'"],
  }),
  attack(12, 'passkeys of others', {
    'src/api/passkeys/passkeys.test.ts': [
      'answers a challenge once',
      'of another origin or relying party is refused',
      "with another user's id is refused",
      'whose counter goes back is refused',
      'whose record was pasted under another key, or changed, is ignored',
    ],
  }),
  attack(13, 'requests in the name of another cluster', {
    'src/adapters/external-wake/attacks.test.ts': [
      'are let in once: a replay is refused, also among two hundred at the same time',
      'are let in once, also over a restart',
      'are let in up to five minutes off, either way',
      "'with the method swapped'",
      "'signed for another path'",
      "'signed for another host'",
      "'with another body'",
      "'in the name of another cluster'",
      'are let in under the old and the new key while both are there, and not under the old one after',
      'hold five sessions at a time under two hundred requests in parallel',
    ],
  }),
  attack(14, 'hosts that must not be reached', {
    'src/api/outbound/readiness.test.ts': [
      'are more than sixty',
      'a redirect to one of them is not followed',
      'connects to the address that was checked, whatever the DNS says next',
      'is never this machine, its link, a metadata service or many at once',
      'is named: a star alone lists nobody who is private',
    ],
    'src/adapters/outbound/http-client.test.ts': ['%s, when it resolves to the inside'],
  }),
  attack(15, 'learning what was fetched', {
    'src/api/outbound/readiness.test.ts': ['tells nothing of what was fetched or why it failed'],
  }),
  attack(16, 'logos with something in them', {
    'src/api/branding/svg.test.ts': ['has been tried with more than eighty payloads', 'must not be ', 'bomb('],
  }),
  attack(17, 'hostile text', {
    'src/api/hostile-names.test.ts': [
      'stays inside its label, in every series of the API and of the controller',
      'is text of a JSON answer that no browser takes for a page',
      'is a cell of the CSV that no spreadsheet runs, and a row stays a row',
      'is one line of the stream, also as the message of a kubelet',
      'adds no header, no element and no link',
    ],
    'src/domain/notification/cards.test.ts': ['shows hostile text as text'],
    'src/domain/notification/mail-text.test.ts': ['holds hostile text without becoming part of it'],
    'src/adapters/mail/mail-servers.test.ts': ['hostileTexts'],
    'src/satellite/satellite.test.ts': ['escapes hostile names and hosts'],
    'src/cli/cli.test.ts': ['oneLine('],
  }),
  attack(18, 'addresses that lie about where a visitor came from', {
    'src/frontend/spoofed-origin.test.ts': [
      'is named as it is, and the visitor lands on the own address',
      'of a peer that is not trusted changes nothing',
      'is refused before anything is said of it',
      'stays inside its parameter, or is refused',
      'the app takes nobody to #/?origin=',
    ],
    'web/app/visitor/origin.test.ts': ['is anything whose result would not be http or https to the shown host'],
  }),
  attack(19, 'answers without their headers', {
    'src/api/server/hardening.test.ts': [
      'has the security headers and the one body: ',
      'tells a caller nothing of what went wrong inside',
      'headers that are too large and lines that are no HTTP get the one body and the headers',
    ],
    'src/api/stream/stream.test.ts': ["'x-content-type-options': 'nosniff'"],
    'src/frontend/frontend.test.ts': ['puts the security headers on every answer'],
    'src/satellite/satellite.test.ts': ['lets run and paint only what the page holds, by the hashes of its policy'],
    'test/browser/tour.test.ts': ['problems'],
  }),
  attack(20, 'pages of other sites', {
    'src/api/server/hardening.test.ts': [
      'cannot send anything that changes something: ',
      'cannot post forms',
      'may read the dashboard from a listed origin, exactly',
    ],
  }),
  attack(21, 'getting around the rate limits', {
    'src/platform/trusted-proxies.test.ts': ['is the first that is no proxy, though a proxy is claimed before it'],
    'src/api/server/hardening.test.ts': [
      'a stranger cannot claim another address',
      'limits count an IPv6 client by its /64',
      'is refused with Retry-After beyond the limit of a client, and others are not',
    ],
    'src/api/sign-in/sign-in.test.ts': [
      'to addresses outside the company: twenty an hour and client, counted by the address that a trusted hop vouches for',
      'an IPv6 client is its /64',
    ],
  }),
  attack(22, 'too much, too deep, too slow', {
    'src/api/server/hardening.test.ts': ["'of ten megabytes'", "'that is deep'", "'with __proto__'"],
    'src/api/server/overload.test.ts': [
      'are given up with 408 and the one body, and others are served meanwhile',
      'are held up to their bounds, refused beyond, and nobody else notices',
      'cost a tenth of a second at most, in headers, queries, paths and bodies',
    ],
    'src/domain/targeting/glob.test.ts': ['does not blow up on a pattern made to backtrack'],
    'src/api/fuzz.test.ts': ['no 5xx, one body for every error, answers as the document says'],
  }),
  attack(23, 'a state that was edited by hand', {
    'src/controller/pass/hand-edited-state.test.ts': [
      'with records of what the service must not touch leads to no write on any of it, by day and by night',
      'with 100,000 replicas raises nothing to it',
      'with a foreign uid is a record of another object',
      'in the middle of anything, with the names in every key exchanged, touches nothing else',
    ],
  }),
  attack(24, 'our own accounts, doing more than they may', {
    'test/chart/rights.test.ts': ['are the reviewed list, with every feature off'],
    'test/chart/accounts.test.ts': ['as our accounts, the real apiserver refuses to'],
  }),
  attack(25, 'secrets that slip out, and licenses that are not ours', {
    'src/api/canary-secrets.test.ts': [
      'the API: every log level with devMode, error bodies, answers and metrics',
      'ends it, and the trace holds none',
      'says why, and none of them',
    ],
    'src/adapters/aws/redaction.test.ts': [],
    'src/domain/license/check.test.ts': [
      'is unlicensed for a license with any one character of its body changed',
      'a license of another key',
      'a clock set back does not bring an expired license back',
    ],
    'src/domain/license/license.test.ts': ['base64 with an appended letter', 'text after it'],
  }),
  attack(26, 'requests that a proxy and a server read differently', {
    'src/frontend/request-smuggling.test.ts': [
      'are more than sixty',
      'never acts as them, with ',
      'is the client and the host of this request, whatever it claims',
      "'GET with a body, its length hidden by Connection'",
      "'DELETE with a chunked body'",
      "'HEAD with a body'",
      "'Transfer-Encoding and Content-Length together'",
      "'Content-Length twice, different'",
      "'a chunk extension'",
      "'bare line feeds'",
      "'a folded line'",
      "'Expect of something else'",
      "'an upgrade with a body'",
      "'an absolute target of another host'",
    ],
  }),
  attack(27, 'a siege from one address', {
    'src/frontend/siege.test.ts': [
      'of half-sent heads costs the connections of the one who sent them, and nobody else notices',
      'of unfinished posts is answered 503 with Retry-After from the longest-waiting on, and others are served',
      'of streams takes no socket of a request',
      'has strangers sent away at once, with 503 and Retry-After',
      'has room for a stand-down when everything else of the admin waits',
      'has room for the stand-down of an admin when somebody who is none asks for his own',
      'have room for who is known, when the claims fill all that they may',
    ],
    'src/api/server/overload.test.ts': ['that have said nothing are cut, the oldest first, and others are served'],
    'src/platform/waiting-room.test.ts': ['a crowd does not push out others'],
  }),
  attack(28, 'floods that need no sign-in', {
    'src/api/server/anonymous-reads.test.ts': [
      'asked fifty times, reads nothing of the cluster',
      'reads the cluster as often when it is asked all the time as when nobody asks',
      'a passkey that nobody has is looked for in memory in a flood, also with a challenge of ours',
      'leaves a stand-down its budget, in the midst of a flood',
      'are those of strangers: who is signed in has a limit of their own, and a stand-down one beside it',
    ],
  }),
  attack(29, 'a Monday morning behind one ingress', {
    'src/api/sign-in/monday-morning.test.ts': [
      'five hundred of five hundred sign in where the stranger %s',
      'no code gets a fourth guess',
    ],
    'src/api/sign-in/sign-in.test.ts': [
      'a browser that has signed in before gets its mail, whatever strangers ask for its address',
      'a stranger who spends the codes of an address is lifted by a new request within minutes',
    ],
  }),
  attack(30, 'rights that were taken away', {
    'src/api/stream/stream.test.ts': [
      'tells who is no admin any more nothing that is for admins, from that moment on',
      'ends within a heartbeat when the domain of its reader is allowed no longer',
      'ends with a logout',
    ],
    'src/api/sign-in/sign-in.test.ts': [
      'stays ended after a restart, and others go on',
      'is ended at once and stored later when the state cannot be written just now',
      'stays ended when five hundred others have ended since: whoever was not seen since then signs in again',
      'from before a start is not taken while the list of ended ones cannot be decoded, and nobody overwrites it',
    ],
  }),
];

function attack(number: number, what: string, tests: Attack['tests']): Attack {
  return { number, what, tests };
}

describe('the list of attacks', () => {
  it('has each of them once', () => {
    expect(attacks.map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  it.each(attacks)('$number, $what, is tested where it says', ({ tests }) => {
    const titles = Object.values(tests).flat();
    expect(titles).not.toEqual([]);
    for (const [file, words] of Object.entries(tests)) {
      expect([file, existsSync(file)]).toEqual([file, true]);
      const source = readFileSync(file, 'utf8');
      expect([file, words.filter((title) => !source.includes(title))]).toEqual([file, []]);
      expect([file, /\b(?:it|describe|test)\.(?:skip|todo|only)\b/.test(source)]).toEqual([file, false]);
    }
  });
});
