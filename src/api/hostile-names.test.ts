import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, adminAddress, deployment, internalSecret, releaseNamespace } from '../../test/support/api-world.ts';
import { hostileTexts } from '../../test/support/examples/notice-examples.ts';
import { ControllerMetrics } from '../controller/metrics/metrics.ts';
import { ApiMetrics } from './server/metrics.ts';
import { codeMail, passkeyAddedMail } from './sign-in/code-mail.ts';

/** What people, kubelets and other programs write, and what spreadsheets and scrapers would make of it. */
const texts: readonly string[] = [
  ...hostileTexts,
  '=HYPERLINK("https://evil.example","x")',
  '+1+cmd|calc',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '"} 1\nsvc_acting{x="',
  'a\\"b\\nc',
  '# HELP evil x',
];

let world: ApiWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

const sample =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (?:[-+]?[\d.]+(?:e[-+]?\d+)?|NaN|[+-]Inf)$/;
const comment = /^# (?:HELP|TYPE) svc_\w+ /;

/** Reads the exposition format by its grammar; a line that is neither a sample nor a comment of ours is an injection. */
function expectWellFormed(text: string): readonly string[] {
  const strange = text.split('\n').filter((line) => line !== '' && !comment.test(line) && !sample.test(line));
  expect(strange).toEqual([]);
  return text.split('\n').flatMap((line) => sample.exec(line)?.[1] ?? []);
}

describe('attack 17: hostile text in metrics', () => {
  it('stays inside its label, in every series of the API and of the controller', async () => {
    for (const hostile of texts) {
      const api = new ApiMetrics();
      api.parameterBytes.set({ parameter: hostile }, 1);
      api.errors.inc({ route: hostile, code: hostile });
      const controller = new ControllerMetrics();
      controller.recoveries.inc({ reason: hostile });
      controller.notificationDeliveries.inc({ channel: hostile, outcome: hostile });
      controller.drift.inc({ kind: hostile });
      for (const metrics of [api, controller]) {
        const names = expectWellFormed((await metrics.render()).text);
        expect(names.filter((name) => !name.startsWith('svc_'))).toEqual([]);
      }
    }
  });

  it('in paths and methods makes no series of its own', async () => {
    world = await ApiWorld.start();
    for (const hostile of texts) {
      const path = encodeURIComponent(hostile.toWellFormed());
      await world.inject({ method: 'GET', url: `/api/v1/${path}` });
      await world.inject({ method: 'GET', url: `/api/v1/resources/${path}/x/y/why`, headers: { 'x-evil': 'x' } });
    }
    const { text } = await world.running.api.metrics.render();
    expectWellFormed(text);
    const routes = new Set([...text.matchAll(/svc_api_requests_total\{route="([^"]*)"/g)].map(([, route]) => route));
    expect([...routes].toSorted()).toEqual(['none', 'why']);
  });
});

describe('attack 17: hostile text in what the API answers', () => {
  const entry = (text: string, index: number) =>
    JSON.stringify({
      id: `entry-${index}`,
      at: '2026-01-05T10:00:00Z',
      kind: 'wake',
      title: 'Wake Complete',
      actor: text,
      reason: text,
      result: 'failed',
      workloads_failed_detail: [text],
    });

  async function start(): Promise<string> {
    // What has line breaks or is very long does not get past the configuration.
    const reasons = texts.map((text) => text.toWellFormed()).filter((text) => /^\P{C}{1,100}$/u.test(text));
    expect(reasons.length).toBeGreaterThan(15);
    const neverScale = reasons.map((reason, index) => ({ namespace: 'shop', name: `kept-${index}`, reason }));
    world = await ApiWorld.start({
      config: { resourceRules: { neverScale } },
      objects: [
        ...texts.map((text, index) =>
          deployment('shop', `kept-${index}`, 1, { annotations: { 'svc.io/note': text.toWellFormed() } }),
        ),
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'svc-audit-0', namespace: releaseNamespace, labels: { 'svc.io/audit': 'true' } },
          data: { entries: texts.map((text, index) => `${entry(text, index)}\n`).join('') },
        },
      ],
    });
    return world.token(adminAddress);
  }

  it('is text of a JSON answer that no browser takes for a page', async () => {
    const token = await start();
    const running = world!;
    for (const id of ['resources', 'ignoredResources', 'audit', 'preview', 'settings', 'hibernationStatus'] as const) {
      const answer = await running.call(id, {}, token);
      expect([id, answer.statusCode, answer.headers['content-type']]).toEqual([
        id,
        200,
        'application/json; charset=utf-8',
      ]);
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
    }
    const skipped = (await running.call('preview', {}, token)).json().skipped as { reason: string }[];
    expect(skipped.filter(({ reason }) => reason.includes('evil.example'))).not.toEqual([]);
    // As one value each, whatever the text: nothing of it became a field.
    expect(skipped.every((one) => Object.keys(one).join() === 'workload,code,reason')).toBe(true);
  });

  it('is a cell of the CSV that no spreadsheet runs, and a row stays a row', async () => {
    const token = await start();
    const { body } = await world!.call('audit', { query: { format: 'csv' } }, token);
    const rows = csvRows(body);
    expect(rows).toHaveLength(texts.length + 1);
    for (const row of rows) {
      expect(row).toHaveLength(rows[0]!.length);
      const lines = row.flatMap((cell) => cell.split(/[\r\n]+/));
      for (const line of lines) expect(line).not.toMatch(/^\s*[=+@|%-]/);
    }
  });

  it('is one line of the stream, also as the message of a kubelet', async () => {
    await start();
    const { hub } = world!.running.api;
    for (const text of texts) {
      await world!.call(
        'frames',
        { body: { kind: 'transition', payload: { message: text.toWellFormed() } } },
        internalSecret,
      );
      const json = hub.last('transition') ?? '';
      expect(json).not.toMatch(/[\r\n]/);
      expect(JSON.parse(json)).toEqual({ message: text.toWellFormed() });
    }
  });
});

describe('attack 17: hostile text in the mails of the sign-in', () => {
  it('adds no header, no element and no link', () => {
    const issued = { code: '01234567', link: 'TOKEN' };
    const plain = codeMail({
      ...issued,
      to: 'a@b.example',
      clusterName: 'dev',
      externalUrl: 'https://svc.example.com',
    });
    const elements = (html = '') => html.match(/<\/?[a-z][^>]*>/gi)?.map((one) => one.replace(/\s.*/, '>'));
    for (const clusterName of texts) {
      const mail = codeMail({ ...issued, to: 'a@b.example', clusterName, externalUrl: 'https://svc.example.com' });
      expect(mail.subject).not.toMatch(/[\r\n]/);
      expect(elements(mail.html)).toEqual(elements(plain.html));
      expect(mail.html?.match(/href="[^"]*"/g)).toEqual(['href="https://svc.example.com/#/sign-in?link=TOKEN"']);
      const added = passkeyAddedMail('a@b.example', clusterName, clusterName);
      expect(added.subject).not.toMatch(/[\r\n]/);
      expect(added.html).toBeUndefined();
    }
  });
});

/** A strict reader of RFC 4180. */
function csvRows(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/gy;
  for (;;) {
    const match = cells.exec(text);
    if (match === null) throw new Error(`no cell at ${cells.lastIndex}`);
    const [, cell = '', end] = match;
    row.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === ',') continue;
    rows.push(row);
    row = [];
    if (end === '' || cells.lastIndex >= text.length) return rows;
  }
}
