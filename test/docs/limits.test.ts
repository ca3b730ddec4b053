import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { challengeLifetimeMs } from '../../src/api/passkeys/challenges.ts';
import { signInRates } from '../../src/api/sign-in/sign-in-limits.ts';
import { standardStreamLimits } from '../../src/api/stream/event-stream.ts';
import { largestBody, mostHeaders } from '../../src/frontend/http/request-framing.ts';
import { connectionRooms, largestHead, standardTimeouts } from '../../src/frontend/listeners.ts';
import { unfinishedBodies } from '../../src/frontend/proxy/api-proxy.ts';
import { mostKnownTokens, mostKnownTokensOfPerson } from '../../src/frontend/proxy/known-tokens.ts';
import { laneSizes, unreadWhileOthersWaitMs } from '../../src/frontend/proxy/lanes.ts';
import { mostDownloads } from '../../src/frontend/request-handler.ts';
import { handshakeWeight, secureWeight } from '../../src/platform/connection-budget.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'limits.md'), 'utf8');
const rows = new Map(
  page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name = '', ...cells]) => [name, cells]),
);
const seconds = (ms: number) => `${ms / 1000} s`;
const plain = (count: number) => count.toLocaleString('en-US');

describe('the page of limits says what the frontend ships with', () => {
  const frontend: readonly (readonly [row: string, value: string])[] = [
    ['connections that have not sent a head', plain(connectionRooms.fresh)],
    ['of these, those that have begun one, or with TLS have finished their handshake', plain(connectionRooms.begun)],
    ['idle connections', plain(connectionRooms.idle)],
    ['connections that are being answered, streams aside', plain(connectionRooms.answering)],
    ['time for a head', seconds(standardTimeouts.headersMs)],
    ['time for a whole request', seconds(standardTimeouts.requestMs)],
    ['an answer that is not read', seconds(standardTimeouts.unreadMs)],
    ['size of a head', `${largestHead / 1024} KiB, ${mostHeaders} headers`],
    ['size of a body', `${largestBody / 1024} KiB`],
    ['bodies that have begun and not ended, of who is not known to be signed in', plain(unfinishedBodies.strangers)],
    ['the same, of who is', plain(unfinishedBodies.signedIn)],
    ['the same, of admins', plain(unfinishedBodies.admins)],
    ['files of the app on their way out', plain(mostDownloads)],
  ];
  it.each(frontend)('%s: %s', (row, value) => {
    expect(rows.get(row)?.[0]).toBe(value);
  });

  it.each([
    ['stand-down of admins', 'stand-down'],
    ['all else of admins', 'admin'],
    ['people of the company', 'company'],
    ['others who are signed in', 'outside'],
    ['who shows a token of which the API has said nothing yet', 'claimed'],
    ['codes, links, passkeys, refreshes and wakes by other clusters, without an `Authorization` header', 'way-in'],
    ['all else without one', 'anonymous'],
    ['event streams of who is signed in', 'stream'],
    ['who asks for one with a token of which the API has said nothing yet', 'claimed-stream'],
  ] as const)('the way of %s', (row, lane) => {
    const { sockets, waiting, perSharer } = laneSizes[lane];
    expect(page).toContain(`| ${row} | ${plain(sockets)} | ${plain(waiting)} | ${plain(perSharer)} |`);
  });

  it('what is kept for admins and for people of the company', () => {
    const { kept } = laneSizes.stream;
    expect(page).toContain(
      `Of the streams ${kept?.admins} places are kept for admins and ${kept?.company} more for people\nof the company.`,
    );
    const keeping = Object.entries(laneSizes).filter(([, size]) => size.kept !== undefined);
    expect(keeping.map(([name]) => name)).toEqual(['stream']);
  });

  it('as how many a connection with TLS counts, and what that leaves', () => {
    const secure = (count: number) => Math.floor(count / secureWeight);
    const { fresh, idle, answering } = connectionRooms;
    const { sockets, perSharer } = laneSizes.stream;
    expect(page).toContain(`counts as ${secureWeight} wherever`);
    expect(page).toContain(`as ${handshakeWeight} until its handshake is\nfinished`);
    expect(page).toContain(
      `${secure(fresh)} that have not sent a head, ${secure(idle)} idle ones, ${secure(answering)} that are being answered, ${secure(mostDownloads)} files on their way out, and ${secure(sockets)} event streams,\n${secure(perSharer)} of one person`,
    );
    expect(rows.get('TLS handshake')?.[0]).toBe(
      `${seconds(standardTimeouts.headersMs)}; ${Math.floor(fresh / handshakeWeight)} at one time`,
    );
  });

  it('how many tokens are known', () => {
    expect(page).toContain(`Of one person ${mostKnownTokensOfPerson} tokens are known`);
    expect(page).toContain(`all in all ${plain(mostKnownTokens)}:`);
  });

  it('event streams at the API, and who can use them up', () => {
    const { total, forAdmins = 0, forCompany = 0, perUser } = standardStreamLimits;
    expect(rows.get('event streams')?.[0]).toBe(
      `${plain(total)}, of which ${forAdmins} for admins, and ${forCompany} more for people of the company; ${perUser} of one person`,
    );
    const left = total - forAdmins - forCompany;
    expect(page).toContain(`With ${left / perUser} he takes all ${left} streams that people from outside get`);
    const { sockets, waiting, perSharer } = laneSizes.outside;
    const places = sockets + waiting;
    expect(page).toContain(`with ${Math.ceil(places / perSharer)} their\n${places} places on their way`);
  });

  it('how often one person refreshes, and how long a challenge is good', () => {
    const { count, perMs } = signInRates.refreshes;
    expect(rows.get('refreshes of a sign-in, by one person')?.[0]).toBe(
      `${count} an hour; then one every ${perMs / count / 1000} s, with the same token`,
    );
    expect(rows.get('a challenge for a passkey')?.[0]).toContain(`${challengeLifetimeMs / 60_000} minutes`);
  });

  it('who does not read is cut sooner while others wait', () => {
    expect(page).toContain(
      `Who takes nothing of his answer for ${seconds(unreadWhileOthersWaitMs)} is cut when others wait`,
    );
    expect(page).toContain(`while nobody waits, he has his ${seconds(standardTimeouts.unreadMs)}.`);
  });

  it('what is half-sent takes 8 MiB of the frontend at most', () => {
    const bodies = Object.values<number>(unfinishedBodies).reduce((sum, one) => sum + one);
    const mebibytes = (connectionRooms.fresh * largestHead + bodies * largestBody) / 1024 / 1024;
    expect(mebibytes).toBe(8);
    expect(page).toContain(`at most ${mebibytes} MiB`);
  });

  it('has a row for each limit of sign-in, with its figure', () => {
    const said = Object.values(signInRates).map(({ count }) => plain(count));
    const section = page.slice(page.indexOf('## Sign-in'));
    expect(said.filter((figure) => !section.includes(figure))).toEqual([]);
  });

  it.each([
    ['mails to one address', 'mailsToAddress'],
    ['mails to an address that known browsers ask for, all of them together', 'mailsToKnownBrowsers'],
    [
      'mails beyond these, each in the place of a code that wrong guesses have spent, to one address',
      'replacementsToAddress',
    ],
  ] as const)('%s: so many at once, and how soon the next', (row, name) => {
    const { count, perMs } = signInRates[name];
    expect(rows.get(row)?.[0]).toMatch(new RegExp(`^${count}, then one every ${perMs / count / 60_000} minutes`));
  });

  it('what a stranger behind the ingress can use up, and how soon it fills again', () => {
    const { companyMailsOfClient, companyMails, outsideMailsOfClient } = signInRates;
    const { count, perMs } = companyMailsOfClient;
    expect(page).toContain(`can also ask for ${plain(count)} codes of invented addresses`);
    expect(page).toContain(`one every ${Math.round(perMs / count / 1000)} s, which he may take`);
    expect(perMs).toBe(24 * 3_600_000);
    expect(page).toContain(`it is a day until all ${plain(count)} are`);
    const minutes = outsideMailsOfClient.perMs / outsideMailsOfClient.count / 60_000;
    expect(page).toContain(`${outsideMailsOfClient.count} requests do the same, one every ${minutes} minutes`);
    expect(companyMails.perMs).toBe(perMs);
    expect(page).toContain(
      `needs ${Math.ceil(companyMails.count / count)} addresses to use up what there is all in all`,
    );
  });

  it('what one address can be sent in an hour, by its buckets', () => {
    const [mails, replaced] = [signInRates.mailsToAddress, signInRates.replacementsToAddress];
    const hourly = [mails, replaced].reduce((sum, { count, perMs }) => sum + (count * 3_600_000) / perMs, 0);
    const first = mails.count + replaced.count;
    expect(page).toContain(`gets ${hourly} mails an hour from somebody who never tires, ${first} more in the first`);
    expect(page).toContain(`spend ${first} codes of one address, ${3 * first} guesses`);
  });
});
