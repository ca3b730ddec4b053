import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Input, smallest } from '../../test/support/examples/config-examples.ts';
import { keysInThePod } from './in-the-pod.ts';
import { parseConfig } from './parse-config.ts';
import { settingsView } from './settings-view.ts';

function settingsOf(change: Input) {
  const result = parseConfig({ ...smallest, ...change });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return new Map(settingsView(result.config).map((setting) => [setting.path, setting]));
}

describe('settingsView', () => {
  it('gives every value with its source and its description', () => {
    const settings = settingsOf({ operations: { logLevel: 'debug', dryRun: false } });
    expect(settings.get('operations.logLevel')).toEqual({
      path: 'operations.logLevel',
      value: 'debug',
      source: 'configured',
      description: 'The least severe level that is logged.',
      standard: 'info',
      applies: 'at once',
    });
    expect(settings.get('externalUrl')).toMatchObject({ applies: 'with a restart' });
    expect(settings.get('operations.dryRun')).not.toHaveProperty('standard');
    expect(settings.get('operations.dryRun')).toMatchObject({ value: false, source: 'default' });
    expect(settings.get('workingHours.schedule.sunday')).toMatchObject({ value: 'off', source: 'default' });
    expect(settings.get('clusterName')).toMatchObject({ value: 'dev', source: 'configured' });
  });

  it('gives a list as one setting and a named thing field by field', () => {
    const settings = settingsOf({
      databases: { orders: { type: 'cluster', identifier: 'orders', region: 'eu-west-1' } },
    });
    expect(settings.get('targeting.namespaces.exclude')).toMatchObject({
      value: [{ pattern: 'kube-*' }, { exact: 'svc' }],
      source: 'default',
    });
    expect(settings.get('databases.orders.type')).toMatchObject({ value: 'cluster', source: 'configured' });
    expect(settings.has('databases.orders.endpoint')).toBe(false);
    expect(settingsOf({}).get('databases')).toMatchObject({ value: {}, source: 'default' });
  });

  it('shows events only where they are set', () => {
    expect(settingsOf({}).has('notifications.events.standDown')).toBe(false);
    expect(
      settingsOf({ notifications: { events: { standDown: false } } }).get('notifications.events.standDown'),
    ).toMatchObject({
      value: false,
      source: 'configured',
    });
  });

  it('shows no credential of a proxy or a webhook', () => {
    const hook = { name: 'ops', url: 'https://hooks.example.com/canary?sig=canary' };
    const settings = settingsOf({
      proxyURL: 'http://canary:canary@proxy:8080',
      urlReadinessCheck: { proxyURL: 'http://proxy:8080/' },
      notifications: {
        channels: {
          teams: { webhooks: [hook] },
          slack: { webhooks: [hook] },
          webhook: { webhooks: [{ ...hook, secretRef: { name: 'a', key: 'b' } }] },
        },
      },
    });
    expect(JSON.stringify([...settings.values()])).not.toContain('canary');
    expect(settings.get('proxyURL')?.value).toBe('http://proxy:8080');
    expect(settings.get('urlReadinessCheck.proxyURL')?.value).toBe('http://proxy:8080');
    expect(settings.get('notifications.channels.teams.webhooks')?.value).toEqual([
      { name: 'ops', url: 'https://hooks.example.com/…' },
    ]);
  });
});

describe('what the chart makes pods from', () => {
  const read = (name: string) => readFileSync(new URL(`../../charts/svc/templates/${name}`, import.meta.url), 'utf8');
  const templates = ['app.yaml', 'controller.yaml', '_pod.tpl', '_controller-env.tpl'].map(read).join('\n');

  it.each(keysInThePod)('is made from %s', (key) => {
    const words = key.split('.');
    const inWords = [
      `.${key}`,
      `dig ${words.map((word) => `"${word}"`).join(' ')}`,
      `$${words.at(-2)}.${words.at(-1)}`,
    ];
    expect(inWords.some((text) => templates.includes(text))).toBe(true);
  });

  it('is all that they are made from', () => {
    const dug = [...templates.matchAll(/dig ((?:"\w+" )+)\S+ (?:\.Values\.config|\$config)/g)].map(([, words = '']) =>
      words.replaceAll('"', '').trim().replaceAll(' ', '.'),
    );
    const plain = [...templates.matchAll(/\.Values\.config\.([\w.]+)/g)].map(([, key = '']) => key);
    const used = [...new Set([...dug, ...plain])];
    expect(used).toContain('serviceRedirection.enabled');
    expect(used.filter((key) => !keysInThePod.some((one) => one === key || one.startsWith(`${key}.`)))).toEqual([]);
  });
});
