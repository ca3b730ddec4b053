import { describe, expect, it } from 'vitest';
import { smallest, withValue } from '../../test/support/examples/config-examples.ts';
import { defaultConfig, parseConfig } from './parse-config.ts';

function errorsOf(input: unknown): readonly string[] {
  const result = parseConfig(input);
  return result.ok ? [] : result.errors.map(({ path, message }) => `${path}: ${message}`);
}

describe('parseConfig', () => {
  it('reports everything at once, each with its path', () => {
    expect(
      errorsOf({
        workingHours: { timezone: 'X', schedule: { monday: '8:00-20:00' } },
        urlReadinessCheck: { intervalSeconds: 0 },
        targeting: { namespaces: { exclude: [{ exact: 'a', pattern: 'b' }, {}] } },
        externalWake: { enabled: true },
      }).map((line) => line.slice(0, line.indexOf(':'))),
    ).toEqual([
      'clusterName',
      'externalUrl',
      'workingHours.timezone',
      'workingHours.schedule.monday',
      'urlReadinessCheck.intervalSeconds',
      'targeting.namespaces.exclude[0]',
      'targeting.namespaces.exclude[1]',
      'externalWake.localClusterName',
    ]);
  });

  it('takes a bare on or off of YAML 1.1, which arrives as a boolean', () => {
    const result = parseConfig(withValue('workingHours.schedule', { monday: false, sunday: true }));
    expect(result.ok && result.config.workingHours.schedule).toMatchObject({
      monday: 'off',
      sunday: 'on',
      tuesday: '08:00-20:00',
    });
  });

  it.each([[undefined], [null], [{}]])('asks an empty document (%s) for what is required', (input) => {
    expect(errorsOf(input).map((line) => line.split(':')[0])).toEqual(['clusterName', 'externalUrl']);
  });

  it.each([[[]], ['text'], [5]])('refuses %j in place of a document', (input) => {
    expect(errorsOf(input)).toEqual([expect.stringMatching(/^: must be a map of keys and values, not /)]);
  });

  it('is not confused by keys of the object prototype', () => {
    expect(
      errorsOf(JSON.parse('{"clusterName":"a","externalUrl":"https://a.b","__proto__":{"x":1},"constructor":1}')),
    ).toEqual(['__proto__: is not a known key', 'constructor: is not a known key']);
  });

  it('replaces a default list as a whole', () => {
    const result = parseConfig(withValue('targeting.namespaces.exclude', [{ exact: 'shop' }]));
    expect(result.ok && result.config.targeting.namespaces.exclude).toEqual([{ exact: 'shop' }]);
  });

  it('takes a named thing of null for one that is not there, though its name must still be one', () => {
    const result = parseConfig(withValue('databases', { main: null }));
    expect(result.ok && result.config.databases).toEqual({});
    expect(errorsOf(withValue('awsCosts.resourceTags', { 'a?': null }))).toEqual([
      'awsCosts.resourceTags["a?"]: the key "a?" is not a tag key: letters, digits, spaces and _.:/=+-@',
    ]);
  });

  it('keeps optional values absent', () => {
    const result = parseConfig(
      withValue('notifications.channels.email.recipients', ['a@b.c', { address: 'd@e.f', events: { medium: false } }]),
    );
    expect(result.ok && result.config.notifications.channels.email.recipients).toEqual([
      'a@b.c',
      { address: 'd@e.f', events: { medium: false } },
    ]);
  });

  it('does not lend its defaults out to be changed', () => {
    const result = parseConfig(smallest);
    expect(() => (result.ok ? (result.config.auth.adminUsers as string[]).push('x') : undefined)).toThrow(TypeError);
    expect(Object.isFrozen(defaultConfig.targeting.namespaces.exclude[0])).toBe(true);
  });
});
