import { describe, expect, it } from 'vitest';
import { fullAnswers, longName } from '../../fixtures/answers.ts';
import { renderPage } from '../../fixtures/render-page.tsx';
import { keys } from '../data/keys.ts';
import type { WorkloadAnswer } from '../data/queries.ts';
import { WorkloadPage } from './workload-page.tsx';

const cart = (more: Partial<WorkloadAnswer> = {}): WorkloadAnswer => ({
  kind: 'Deployment',
  namespace: 'shop',
  name: 'cart',
  targeted: true,
  wanted: 'up',
  reason: { code: 'working_hours', text: 'Awake until 20:00' },
  recorded: null,
  sentences: ['Deployment shop/cart is at 1 replica, 0 ready.'],
  resource: {
    kind: 'Deployment',
    namespace: 'shop',
    name: 'cart',
    state: 'starting',
    replicas: 1,
    readyReplicas: 0,
    recorded: null,
    owner: 'Argo CD',
  },
  tiers: { wake: 'backend', hibernate: 'everything else' },
  pods: { items: [], more: false },
  events: { items: [], more: false },
  past: { items: [], more: false },
  retry: { possible: true, text: 'It is waited for anew.' },
  ...more,
});
const pod = (name: string): WorkloadAnswer['pods']['items'][number] => ({
  name,
  createdAt: '2026-11-03T07:00:00.000Z',
  phase: 'Pending',
  ready: false,
  deleting: false,
  trouble: 'Container main waits: ImagePullBackOff, Back-off pulling image',
  containers: [
    {
      name: 'main',
      init: false,
      ready: false,
      restarts: 2,
      state: 'waiting',
      reason: 'ImagePullBackOff',
      last: { exitCode: 1 },
    },
  ],
  conditions: [{ type: 'Ready', reason: 'ContainersNotReady', message: 'not ready: [main]' }],
});

async function page(answer: WorkloadAnswer): Promise<string> {
  const key = `${answer.kind}/${answer.namespace}/${answer.name}`;
  const text = await renderPage(WorkloadPage, `/resources/${key}`, [...fullAnswers(), [keys.workload(key), answer]]);
  return text.replaceAll('\n', ' ').replace(/ +/g, ' ');
}

describe('the page of a workload', () => {
  it('says why, what its pods wait for, what happened and how its nights went', async () => {
    const text = await page(
      cart({
        pods: { items: [pod('cart-7f8c-x2x')], more: true },
        events: {
          items: [
            {
              about: 'Pod cart-7f8c-x2x',
              type: 'Warning',
              reason: 'Failed',
              message: 'pull',
              count: 4,
              at: '2026-11-03T07:02:00.000Z',
            },
          ],
          more: false,
        },
        past: {
          items: [
            {
              id: 'w-ended',
              at: '2026-11-03T07:15:00.000Z',
              kind: 'wake',
              title: 'Wake Complete - 1 workload failed',
              actor: 'schedule',
              durationMs: 900_000,
              verdict: 'failed',
              sentence: 'Deployment shop/cart could not pull its image',
            },
          ],
          more: false,
        },
      }),
    );
    for (const said of [
      'Deployment shop/cart is at 1 replica, 0 ready.',
      'backend on a wake, everything else on a hibernation',
      'Argo CD',
      'Container main waits: ImagePullBackOff, Back-off pulling image',
      'Pending, 2 restarts, on no node',
      'before that exit code 1',
      'Not Ready (ContainersNotReady): not ready: [main]',
      'There are more pods than are shown.',
      'Warning: Failed pull (4 times)',
      'Failed: Deployment shop/cart could not pull its image',
      'kubectl describe deployment/cart -n shop',
      'Try again',
    ])
      expect(text).toContain(said);
  });

  it('says what there is nothing of, and what could not be read', async () => {
    const text = await page(
      cart({
        pods: { items: [], more: false, problem: 'pods is forbidden' },
        retry: { possible: false, text: 'It is up.' },
      }),
    );
    for (const said of [
      'The pods could not be read: pods is forbidden',
      'The cluster tells of no events',
      'No wake and no hibernation is in the log',
      'It is up.',
    ])
      expect(text).toContain(said);
  });

  it('of what is left alone says why, and of a CronJob shows no pods', async () => {
    const { resource: _, tiers: __, ...rest } = cart();
    const skipped = { code: 'namespace_excluded', text: 'Namespace shop is excluded' };
    const text = await page({ ...rest, kind: 'CronJob', resource: null, targeted: false, skipped });
    expect(text).toContain('Left alone because Namespace shop is excluded');
    expect(text).not.toContain('Pods now');
  });

  it('takes names that are very long', async () => {
    expect(await page(cart({ name: longName, pods: { items: [pod(longName)], more: false } }))).toContain(longName);
  });
});
