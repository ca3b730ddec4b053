import { describe, expect, it } from 'vitest';
import { configReference } from './config-reference.ts';

const page = configReference();
const rowOf = (key: string) => page.split('\n').find((line) => line.startsWith(`| \`${key}\` `));

describe('the configuration reference', () => {
  const rows: Record<string, string> = {
    'config.urlReadinessCheck.intervalSeconds':
      '| `config.urlReadinessCheck.intervalSeconds` | int | `5` | 1 to 60 | Seconds between two checks. |',
    'config.resourceRules.neverScale[].type':
      '| `config.resourceRules.neverScale[].type` | string | absent | `Deployment`, `StatefulSet`, `CronJob`, `ScaledObject`, `ScaledJob`, `Rollout`, `Cluster`, `postgresql`, `Prometheus`, `KafkaConnect`, `KafkaBridge`, `KafkaMirrorMaker2`, `AutoscalingRunnerSet`, `DaemonSet`, `HorizontalPodAutoscaler`, `Kustomization`, `HelmRelease`, `Application` or a kind that `targeting.kinds` describes; lower case and plural are understood | Kind of workload; any while absent. |',
    'config.databases.<name>.region':
      '| `config.databases.<name>.region` | string | none | required; an AWS region such as `eu-central-1` | Region of the database. |',
    'config.notifications.events':
      '| `config.notifications.events` | [event map](#event-map) | `{"confirmationWindowSeconds":300}` |  | Events for every destination that says nothing else. |',
    standDown: '| `standDown` | medium | report | A stand-down has begun or ended. |',
  };
  it.each(Object.entries(rows))('has a row for %s', (key, row) => {
    expect(rowOf(key)).toBe(row);
  });

  it('keeps the groups in order', () => {
    expect([...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
      'Core',
      'Controller and API tuning',
      'Authentication and mail',
      'Notifications',
      'External wake',
      'URL readiness check',
      'Costs and insights',
      'Event map',
    ]);
  });

  it('has only whole rows: a bar inside a cell is escaped', () => {
    const cells = page
      .split('\n')
      .filter((line) => line.startsWith('| `config.'))
      .map((line) => line.split(/(?<!\\)\|/).length);
    expect(new Set(cells)).toEqual(new Set([7]));
  });
});
