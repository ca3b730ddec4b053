import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, type ApiWorldOptions, adminAddress } from '../../test/support/api-world.ts';

let world: ApiWorld;
let token: string;
afterEach(() => world.stop());

async function start(options: ApiWorldOptions = {}): Promise<void> {
  world = await ApiWorld.start(options);
  token = await world.token(adminAddress);
}

describe('features that are off', () => {
  it('say so, and which setting it is', async () => {
    await start({ config: { insights: { enabled: false } } });
    const off = (key: string) => ({ enabled: false, available: false, message: `${key} is false.`, report: null });
    expect((await world.call('insights', {}, token)).json()).toEqual(off('config.insights.enabled'));
    expect((await world.call('costs', {}, token)).json()).toEqual(off('config.awsCosts.enabled'));
    expect((await world.call('notificationDeliveries', {}, token)).json()).toEqual({ enabled: false, items: [] });
    const rows = [
      ['testNotification', { body: { channel: 'email' } }, 'config.notifications.enabled'],
      ['urlReadiness', { query: { url: 'https://example.com' } }, 'config.urlReadinessCheck.enabled'],
      ['dashboardStatus', {}, 'config.dashboardApi.enabled'],
      ['dashboardCosts', {}, 'config.dashboardApi.enabled'],
      ['passkeySignInOptions', {}, 'config.auth.webauthn.enabled'],
    ] as const;
    for (const [id, parts, key] of rows) {
      const answer = await world.call(id, parts, token);
      expect([id, answer.statusCode, answer.json()]).toEqual([
        id,
        404,
        { code: 'feature_disabled', message: `This is off: ${key} is false.`, details: { key } },
      ]);
    }
  });

  it('external wake without its feature is 404 for who is let in, and 401 for everybody else', async () => {
    await start({ features: { externalWake: { verify: async () => ({ ok: true, cluster: 'x' }) } } });
    expect((await world.call('externalWake')).json().code).toBe('feature_disabled');
  });
});
