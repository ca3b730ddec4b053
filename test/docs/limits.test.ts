import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signInRates } from '../../src/api/sign-in/sign-in-limits.ts';
import { largestBody, mostHeaders } from '../../src/frontend/http/request-framing.ts';
import { connectionRooms, largestHead, standardTimeouts } from '../../src/frontend/listeners.ts';
import { unfinishedBodies } from '../../src/frontend/proxy/api-proxy.ts';
import { laneSizes, unreadWhileOthersWaitMs } from '../../src/frontend/proxy/lanes.ts';
import { mostDownloads } from '../../src/frontend/request-handler.ts';

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
    ['of these, without TLS, those that have begun one', plain(connectionRooms.begun)],
    ['idle connections', plain(connectionRooms.idle)],
    ['connections that are being answered, streams aside', plain(connectionRooms.answering)],
    ['time for a head', seconds(standardTimeouts.headersMs)],
    ['time for a whole request', seconds(standardTimeouts.requestMs)],
    ['an answer that is not read', seconds(standardTimeouts.unreadMs)],
    ['size of a head', `${largestHead / 1024} KiB, ${mostHeaders} headers`],
    ['size of a body', `${largestBody / 1024} KiB`],
    ['bodies that have begun and not ended', plain(unfinishedBodies)],
    ['files of the app on their way out', plain(mostDownloads)],
  ];
  it.each(frontend)('%s: %s', (row, value) => {
    expect(rows.get(row)?.[0]).toBe(value);
  });

  it.each([
    ['stand-down of who is signed in', 'stand-down'],
    ['others who are signed in', 'signed-in'],
    ['who shows a token of which the API has said nothing yet', 'claimed'],
    ['without an `Authorization` header', 'anonymous'],
    ['event streams', 'stream'],
  ] as const)('the way of %s', (row, lane) => {
    const { sockets, waiting, perClient } = laneSizes[lane];
    expect(page).toContain(`| ${row} | ${plain(sockets)} | ${plain(waiting)} | ${plain(perClient)} |`);
  });

  it('who does not read is cut sooner while others wait', () => {
    expect(page).toContain(
      `Who takes nothing of his answer for ${seconds(unreadWhileOthersWaitMs)} is cut when others wait`,
    );
    expect(page).toContain(`while nobody waits, he has his ${seconds(standardTimeouts.unreadMs)}.`);
  });

  it('what is half-sent takes 8 MiB of the frontend at most', () => {
    const mebibytes = (connectionRooms.fresh * largestHead + unfinishedBodies * largestBody) / 1024 / 1024;
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
