import { CssBaseline, ThemeProvider } from '@mui/material';
import { QueryClientProvider } from '@tanstack/react-query';
import { prerender } from 'react-dom/static';
import { describe, expect, it } from 'vitest';
import { Router } from 'wouter';
import { ApiError } from '../../src/contract/contract.ts';
import { type Answers, emptyAnswers, fullAnswers, longAnswers } from '../fixtures/answers.ts';
import { hibernation, transition } from '../fixtures/transition.ts';
import { keys } from './data/keys.ts';
import { makeQueryClient } from './data/query-client.ts';
import { Session, type User } from './session/session.ts';
import { SessionProvider } from './session/session-context.tsx';
import { mayOpen, pages } from './shell/pages.ts';
import { makeTheme } from './theme/theme.ts';

const unreadable = new ApiError(
  503,
  {
    code: 'managed_state_unavailable',
    message: 'The value of resource_states cannot be decoded.',
    details: { key: 'resource_states' },
  },
  null,
);
const broken = new ApiError(500, { code: 'read_failed', message: 'The resources could not be read.' }, null);

/** The page as text, with these answers in the cache and no server behind it. */
const colleague: User = { email: 'ada@example.com', admin: true, member: true, shownAs: 'ada@example.com' };

async function render(path: string, answers: Answers, error?: ApiError, user = colleague): Promise<string> {
  const page = pages.find((one) => one.path === path)!;
  const session = new Session('', () => new Promise(() => undefined), { had: () => false, remember: () => undefined });
  session.signedIn({
    token: 't',
    expiresAt: '2020-01-01T00:00:00.000Z',
    refreshExpiresAt: '2020-01-01T00:00:00.000Z',
    user,
  });
  const cache = makeQueryClient();
  // An error that is there already is shown, and not asked away.
  cache.setDefaultOptions({ queries: { ...cache.getDefaultOptions().queries, retryOnMount: false } });
  for (const [key, answer] of answers) {
    if (error === undefined) cache.setQueryData(key, answer);
    else
      cache
        .getQueryCache()
        .build(cache, { queryKey: [...key] })
        .setState({ status: 'error', error, data: undefined });
  }
  const Component = 'load' in page.component ? await page.component.load() : page.component;
  const { prelude } = await prerender(
    <QueryClientProvider client={cache}>
      <SessionProvider session={session}>
        <ThemeProvider theme={makeTheme('#1976d2')}>
          <CssBaseline />
          <Router hook={() => [path, () => undefined]}>
            <Component />
          </Router>
        </ThemeProvider>
      </SessionProvider>
    </QueryClientProvider>,
  );
  const html = await new Response(prelude).text();
  return (
    html
      .replace(/<style[\s\S]*?<\/style>/g, '')
      .replace(/<!--.*?-->/g, '')
      // A link is a part of its sentence.
      .replace(/<\/?a(?:\s[^>]*)?>/g, '')
      .replace(/<[^>]+>/g, '\n')
      .replaceAll('&#x27;', "'")
      .replaceAll('&quot;', '"')
      .replace(/\n+/g, '\n')
  );
}

const rows: readonly (readonly [path: string, full: string, empty: string])[] = [
  ['/', 'Awake until 20:00 (Europe/Berlin), 142 of 142 up', 'Nothing has happened yet'],
  ['/control', 'Trigger Manual Hibernation', 'The schedule decides already.'],
  ['/wake', 'Deployment media/gpu-upscaler was still Unschedulable after 15 minutes', 'Nothing is moving'],
  ['/resources', '7 workloads', 'The cluster has no workloads'],
  ['/tonight', 'No start-up probe', 'Nothing to warn about'],
  ['/calendar', 'November 2026', 'Changed dates'],
  ['/insights', '10 of 12 planned', 'config.awsCosts.enabled is false.'],
  ['/activity', 'Wake Complete - 1 workload failed', 'Nothing fits'],
  ['/external-wake', 'the whole cluster', 'No cluster keeps this one awake'],
  ['/databases', 'stopped (stopped by the service)', 'No databases are configured'],
  ['/notifications', 'connection refused', 'Nothing has been sent yet'],
  ['/license', 'The license is good.', 'Licensed'],
  ['/settings', 'clusterName', 'There are no settings'],
  ['/account', 'ada@example.com', 'You have no passkey'],
];

describe.each(rows)('the page %s', (path, full, empty) => {
  const title = pages.find((one) => one.path === path)!.title;

  it('says what it knows', async () => {
    expect(await render(path, fullAnswers())).toContain(full);
  });

  it('says that there is nothing yet', async () => {
    expect(await render(path, emptyAnswers())).toContain(empty);
  });

  it('shows its frame while it waits', async () => {
    const text = await render(path, []);
    expect(text).toContain(title);
    expect(text).not.toMatch(/\d+ of \d+|Nothing|No \w+ (is|are|keeps)/);
  });

  it('takes names that are very long', async () => {
    expect(await render(path, longAnswers())).toContain(title);
  });

  it('shows an error in the words of the API', async () => {
    expect(await render(path, fullAnswers(), broken)).toContain('The resources could not be read.');
  });

  it('guesses nothing while the state cannot be read', async () => {
    const text = await render(path, fullAnswers(), unreadable);
    expect(text).toContain('The state of the cluster cannot be read');
    expect(text).not.toMatch(/Awake until|of 142 up|Hibernated until/);
  });
});

describe('the page of tonight', () => {
  const stopped = async (parts: object) => {
    const answers = fullAnswers().map(
      ([key, answer]) => [key, key === keys.status ? { ...(answer as object), ...parts } : answer] as const,
    );
    return (await render('/tonight', answers)).replace(/\s+/g, ' ');
  };

  it('says that nothing would be scaled while a stand-down holds, by whom and since when', async () => {
    const standDown = {
      source: 'admin',
      actor: 'ada@example.com',
      at: '2026-11-03T11:00:00.000Z',
      configuration: false,
      handbackDone: true,
    };
    const text = await stopped({ causes: ['stand_down'], standDown });
    expect(text).toMatch(/Nothing would be scaled: stood down by ada@example\.com since .*12:00 \(Europe\/Berlin\)/);
    expect(text).toContain('Once that has ended, 1 workload would be scaled to zero or suspended at');
    expect(await stopped({})).not.toContain('Nothing would be scaled');
  });

  it('says so while the license stops it', async () => {
    const chip = { color: 'red', text: 'Not scaling - license expired', detail: '' };
    expect(await stopped({ causes: ['license'], license: { verdict: 'unlicensed', acts: false, chip } })).toContain(
      'Nothing would be scaled: Not scaling - license expired',
    );
  });

  it('says what switching a kind on would add, and nothing where that is none', async () => {
    expect(await render('/tonight', fullAnswers())).toContain(
      'With ScaledObject in config.targeting.kinds 37 workloads more would sleep.',
    );
    expect(await render('/tonight', emptyAnswers())).not.toContain('config.targeting.kinds');
  });

  it('names databases, services and hosting clusters beside the workloads, and why a service is left out', async () => {
    const text = await render('/tonight', fullAnswers());
    expect(text).toContain('Databases to be stopped\norders-ada');
    expect(text).toContain('Services to be pointed at satellites\nshop/ada');
    expect(text).toContain('shop/typo: there is no such Service');
    expect(text).toContain('hub-ada');
    expect(await render('/tonight', emptyAnswers())).toContain('No databases, redirected services or hosting clusters');
  });
});

describe('the card of the state', () => {
  const without = (...keysLeftOut: readonly (readonly unknown[])[]) =>
    fullAnswers().filter(([key]) => !keysLeftOut.includes(key));

  it('says what the last wake left', async () => {
    const answers = fullAnswers().map(
      ([key, answer]) =>
        [
          key,
          key === keys.resources
            ? [{ kind: 'Deployment', namespace: 'media', name: 'ada', state: 'starting', recorded: null }]
            : answer,
        ] as const,
    );
    const text = await render('/', answers);
    expect(text).toContain('Awake, 1 workload failed');
    expect(text).toContain('Deployment media/ada was still Unschedulable after 15 minutes');
  });

  it('says that how the last wake ended is being read', async () => {
    expect(await render('/', without(keys.turns))).toContain('How the last wake ended is being read.');
    expect(await render('/', without(keys.resources))).toContain('How the last wake ended is being read.');
    expect(await render('/', fullAnswers())).not.toContain('How the last wake ended');
  });
});

describe('the page of a transition', () => {
  const now = Date.parse('2026-11-03T07:04:00Z');
  const shown = (transitionShown: unknown) =>
    render(
      '/wake',
      fullAnswers().map(([key, answer]) => [key, key === keys.transition ? transitionShown : answer]),
    );

  it('shows a hibernation with its tiers, what it waits for and what would not go down', async () => {
    const text = await shown({ frame: hibernation() });
    for (const said of [
      'Hibernating Resources',
      'Time-out: its pods were not waited for',
      'Deployment shop/cart is lowered; its pods are on their way out',
      'Deployment shop/storefront: svc could not scale it down: admission webhook denied it',
      'Deployment payments/invoicing',
      'Waits for the tier before',
      'Database orders',
    ]) {
      expect(text.replaceAll('\n', ' ').replace(/ +/g, ' ')).toContain(said);
    }
  });

  it('shows how a hibernation ended', async () => {
    const complete = hibernation({ endedAt: now, endedBy: 'complete', draining: [] });
    expect(await shown({ frame: complete })).toContain('Hibernation Complete - 1 workload failed');
    const stopped = await shown({ frame: hibernation({ endedAt: now, endedBy: 'stopped' }) });
    expect(stopped).toContain('Hibernation Stopped');
    expect(stopped).toContain('Not reached');
    expect(stopped).not.toContain('on their way out');
  });

  it('shows for whom a wake waits before it begins, on its own page and on the card of the overview', async () => {
    const until = now + 60_000;
    const why = 'no answer came (ECONNREFUSED)';
    const said =
      'Waiting for hosting cluster hub, until 08:05 (Europe/Berlin) at the latest; then the wake begins without it. hub: no answer came';
    const oneLine = (text: string) => text.replaceAll('\n', ' ').replace(/ +/g, ' ').replaceAll(' ,', ',');
    const frame = transition({ tiers: [], up: 0, total: 0, hosts: [{ cluster: 'hub', until, why }] });
    const page = oneLine(await shown({ frame }));
    expect(page).toContain(said);
    expect(page).not.toContain('0 of the 0');
    const hosts = [{ cluster: 'hub', until: new Date(until).toISOString(), why }];
    const running = { kind: 'wake', id: 'w', startedAt: new Date(now).toISOString(), actor: 'ada', cause: 'c', hosts };
    const answers = fullAnswers().map(
      ([key, answer]) =>
        [key, key === keys.status ? { ...(answer as object), state: 'waking', transition: running } : answer] as const,
    );
    expect(oneLine(await render('/', answers))).toContain(said);
  });

  it('ends a wake that was superseded, and tells of it when the next one is shown', async () => {
    const superseded = transition({ endedAt: now, endedBy: 'superseded' });
    expect(await shown({ frame: superseded })).toContain('Superseded: a hibernation started during the wake.');
    const after = (await shown({ frame: hibernation(), before: superseded })).replaceAll('\n', '');
    expect(after).toContain('The wake that began at 08:00 (Europe/Berlin) did not run its course. Superseded:');
    expect(after).toContain('Hibernating Resources');
  });
});

describe('somebody who is not of the company', () => {
  const stranger: User = {
    email: 'eve@elsewhere.example',
    admin: false,
    member: false,
    shownAs: 'eve@elsewhere.example',
  };

  it('gets an overview without the plan, which is not theirs to see', async () => {
    const text = await render('/', fullAnswers(), undefined, stranger);
    expect(text).toContain('Awake until 20:00');
    expect(text).not.toContain('\nWeek\n');
    expect(await render('/', fullAnswers())).toContain('\nWeek\n');
  });

  it('finds in the menu only pages that they may open', () => {
    const open = pages.filter((page) => mayOpen(page, stranger)).map(({ path }) => path);
    expect(open).toEqual(['/', '/control', '/account']);
    expect(pages.every((page) => mayOpen(page, colleague))).toBe(true);
    const member: User = { ...stranger, member: true };
    expect(pages.filter((page) => mayOpen(page, member)).map(({ path }) => path)).toEqual([
      '/',
      '/control',
      '/calendar',
      '/insights',
      '/account',
    ]);
  });
});
