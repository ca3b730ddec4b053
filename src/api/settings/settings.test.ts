import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, type ApiWorldOptions, adminAddress } from '../../../test/support/api-world.ts';

let world: ApiWorld;
let token: string;
afterEach(() => world.stop());

async function start(options: ApiWorldOptions = {}): Promise<void> {
  world = await ApiWorld.start(options);
  token = await world.token(adminAddress);
}

describe('the settings', () => {
  it('show every value, where it comes from, and no credential', async () => {
    await start({ config: { proxyURL: 'http://user:word@proxy.example.com:8080' } });
    const { settings, refused, brandRefused } = (await world.call('settings', {}, token)).json();
    const of = (path: string) => settings.find((one: { path: string }) => one.path === path);
    expect(of('clusterName')).toMatchObject({ value: 'test', source: 'configured' });
    expect(of('api.shutdownTimeout')).toMatchObject({ value: '30s', source: 'default' });
    expect(of('proxyURL').value).toBe('http://proxy.example.com:8080');
    expect(refused).toBeNull();
    expect(brandRefused).toBeNull();
  });

  it('warn of a holiday region that does not exist', async () => {
    await start({ config: { holidays: { regions: ['DE-BE', 'DE-XX'] } } });
    const { warnings } = (await world.call('settings', {}, token)).json();
    expect(warnings).toEqual([
      expect.stringContaining('config.holidays.regions[1]: there are no holidays for "DE-XX"'),
    ]);
  });

  it('say why a brand is ignored, to admins', async () => {
    await start({ branding: { accentColor: 'blue' } });
    const { brandRefused } = (await world.call('settings', {}, token)).json();
    expect(brandRefused).toBe('branding.accentColor must be written #RRGGBB');
  });

  it('say why the newest configuration is refused; the one before stays', async () => {
    await start();
    world.configure({ workingHours: { schedule: { monday: '8:00-20:00' } } });
    await world.pass();
    const { refused } = (await world.call('settings', {}, token)).json();
    expect(refused).toContain('workingHours.schedule.monday');
    expect((await world.call('hibernationStatus', {}, token)).statusCode).toBe(200);
  });
});
