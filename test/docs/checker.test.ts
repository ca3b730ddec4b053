import { describe, expect, it } from 'vitest';
import { readPage } from './harness/page.ts';
import { problemsOf } from './harness/problems.ts';
import { knownHere, readPages } from './harness/repository.ts';
import { differenceOf, runnableBlocks } from './harness/runnable.ts';

const known = knownHere(readPages());
const wrong = (text: string) => problemsOf(readPage('docs/planted.md', text), known).map(({ message }) => message);

describe('a page that is wrong is found out', () => {
  it.each<[string, string, string]>([
    ['a dead link', '[x](nowhere.md)', 'the link nowhere.md leads to docs/nowhere.md, which does not exist'],
    ['a dead anchor', '[x](limits.md#nothing)', 'docs/limits.md has no heading for the anchor #nothing'],
    ['a dead anchor of its own', '[x](#nothing)', 'docs/planted.md has no heading for the anchor #nothing'],
    ['a key that does not exist', '`config.operations.dryrun`', 'there is no value config.operations.dryrun'],
    ['a key with a value', '`config.global.enable: false`', 'there is no value config.global.enable'],
    ['a chart value', '`metrics.prometheusRules.enabled`', 'there is no value metrics.prometheusRules.enabled'],
    ['a metric', '`svc_wakes_total`', 'there is no metric svc_wakes_total'],
    ['an alert', '`SvcNothingWorks`', 'there is no alert SvcNothingWorks'],
    ['an endpoint', '`GET /api/v1/sleep`', 'there is no endpoint GET /api/v1/sleep'],
    ['a method', '`PUT /api/v1/stand-down`', 'there is no endpoint PUT /api/v1/stand-down'],
    ['an error code', '`409 asleep`', 'there is no error code asleep'],
    [
      'the status of a code',
      '`409 managed_state_unavailable`',
      'managed_state_unavailable is answered with 503, not 409',
    ],
    ['a file', '`src/domain/nothing.ts`', 'there is no file src/domain/nothing.ts'],
    ['a script', '`npm run deploy`', 'package.json has no script deploy'],
    ['a command', '`svc sleep`', 'svc has no command sleep'],
    ['a flag of another command', '`svc status --wait`', 'svc status takes no --wait'],
    [
      'a name of ours that the code does not have',
      '`resource_statuses`',
      'resource_statuses occurs nowhere in the code',
    ],
    ['an annotation', '`svc.io/leave-alone`', 'svc.io/leave-alone occurs nowhere in the code'],
    ['a command in a block', '```sh\nsvc wake --now\n```', 'svc wake takes no --now'],
    [
      'a key of helm in a block',
      '```sh\nhelm upgrade svc x \\\n  --set config.dryRun=true\n```',
      'there is no value config.dryRun',
    ],
    ['a span over two lines', '`svc\nsleep`', 'svc has no command sleep'],
  ])('%s', (_, text, message) => {
    expect(wrong(text)).toEqual([message]);
  });

  it('values that the chart would refuse', () => {
    const problems = wrong('```yaml values\nconfig:\n  workingHours:\n    schedule:\n      monday: 8:00-20:00\n```');
    expect(problems.join('\n')).toContain('workingHours');
  });
});

describe('a page that is right', () => {
  it.each([
    ['[x](limits.md#sign-in) and [y](https://example.com)'],
    [
      '`config.wakeOrdering.tiers[0].select`, `config.databases.<name>.region`, `config.workingHours.schedule.<weekday>`',
    ],
    ['`config.global.enabled: false` and `metrics.prometheusRule.alerts.<name>`'],
    ['`svc_reconcile_duration_seconds_count`, `SvcNotActing`, `409 stood_down`, `DELETE /api/v1/stand-down`'],
    ['`GET /api/v1/resources/shop/deployment/cart/why`, `/api/v1/public/dashboard-*`'],
    ['`svc keep-awake --for 4h`, `kubectl svc status`, `svc stand-down --end`'],
    ['`resource_states`, `svc-state`, `svc.io/exclude`, `SVC_NAMESPACE`, `spec.replicas`'],
    ['```yaml values\nconfig:\n  holidays:\n    regions: [DE-BE]\n```'],
  ])('%s', (text) => {
    expect(wrong(text)).toEqual([]);
  });
});

describe('an answer that a page shows', () => {
  it('is the block after its commands', () => {
    const page = readPage('x.md', '```sh runnable\nsvc status\n```\n\n```text answer\nAwake\n```\n\n```sh\nno\n```');
    expect(runnableBlocks(page)).toEqual([{ script: 'svc status', line: 1, answer: 'Awake' }]);
  });

  it.each<[string, string, string, boolean]>([
    ['the same', 'Awake\nup', 'Awake\nup\n', true],
    ['something else', 'Awake', 'Asleep\n', false],
    ['more than is shown', 'Awake', 'Awake\nWhy: x\n', false],
    ['with placeholders', 'Awake until <time>, <n> of 57 up', 'Awake until 20:00 (UTC), 51 of 57 up\n', true],
    ['with lines left out', 'Awake\n…\nend', 'Awake\na\nb\nend\n', true],
    ['with a line missing after those left out', 'Awake\n…\nend', 'Awake\na\nb\n', false],
    ['with characters of patterns', 'a (b) [c].*', 'a (b) [c].*\n', true],
  ])('%s', (_, shown, printed, same) => {
    expect(differenceOf(shown, printed) === undefined).toBe(same);
  });
});
