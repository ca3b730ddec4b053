import { describe, expect, it } from 'vitest';
import { fullAnswers, longName } from '../../fixtures/answers.ts';
import { renderPage } from '../../fixtures/render-page.tsx';
import { failedWorkload, quietWorkload, waitingPod } from '../../fixtures/workload.ts';
import { keys } from '../data/keys.ts';
import type { WorkloadAnswer } from '../data/queries.ts';
import { WorkloadPage } from './workload-page.tsx';

const cart = (more: Partial<WorkloadAnswer> = {}): WorkloadAnswer => ({ ...quietWorkload(), ...more });

async function page(answer: WorkloadAnswer): Promise<string> {
  const key = `${answer.kind}/${answer.namespace}/${answer.name}`;
  const text = await renderPage(WorkloadPage, `/resources/${key}`, [...fullAnswers(), [keys.workload(key), answer]]);
  return text.replaceAll('\n', ' ').replace(/ +/g, ' ');
}

describe('the page of a workload', () => {
  it('says why, what its pods wait for, what happened and how its nights went', async () => {
    const text = await page(failedWorkload());
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
    expect(await page(cart({ name: longName, pods: { items: [waitingPod(longName)], more: false } }))).toContain(
      longName,
    );
  });
});
