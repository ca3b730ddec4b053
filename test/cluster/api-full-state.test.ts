import { expect, it } from 'vitest';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { configMaps } from '../../src/domain/names.ts';
import { adminAddress } from './api/api-release.ts';
import { onBothClusters } from './api/on-both-clusters.ts';
import { actNames, fine, type RequestName, readNames } from './api/requests.ts';

const { state: stateMap, passkeys: passkeyMap } = configMaps;
/** A hibernation that somebody asked for, under a long name. */
const long = JSON.stringify({ by: 'x'.repeat(1_000), at: '2026-01-01T00:00:00Z' });

onBothClusters('a state that is full,', (running) => {
  const full = 1_048_576;
  const tooMuch = expect.stringMatching(
    /^ConfigMap svc-state would hold 104[89]\d{3} bytes, and Kubernetes takes at most 1048576\.$/,
  );
  const growing: readonly RequestName[] = [
    'stand down',
    'trigger hibernation',
    'wake up',
    'set an override',
    'external wake',
    'external wake of named resources',
  ];

  it('every act that would make it larger is 409, changes nothing, and reads go on', async () => {
    const state = { note: 'x'.repeat(full) };
    await running.release.setState(state);
    for (const name of readNames) expect([name, await running.release.answer(name)]).toEqual([name, 200]);
    for (const name of actNames) {
      const expected = growing.includes(name) ? [409, 'state_full', tooMuch] : fine(name);
      expect([name, await running.release.answer(name)]).toEqual([name, expected]);
    }
    expect(await running.release.stored(stateMap)).toEqual(state);
  });

  it('an act that makes it smaller is done', async () => {
    const sessions = ['a', 'b'].map((id) => ({
      id,
      cluster: 'dependent',
      resources: [],
      startedAt: '2026-01-01T00:00:00Z',
      expiresAt: '2099-01-01T00:00:00Z',
    }));
    const text = JSON.stringify(sessions);
    await running.release.setState({
      external_wake_sessions: text,
      manual_hibernation: long,
      note: 'x'.repeat(full - text.length - long.length),
    });
    expect(await running.release.answer('resume the schedule')).toBe(200);
    expect(Object.keys((await running.release.stored(stateMap)) ?? {})).not.toContain('manual_hibernation');
  });

  it('a stand-down cannot end where its announcement has no room, and holds on', async () => {
    const held = JSON.stringify({ admin: { actor: adminAddress, at: '2026-01-01T00:00:00Z' } });
    const state = { stand_down: held, note: 'x'.repeat(full - held.length) };
    await running.release.setState(state);
    expect(await running.release.answer('end the stand-down')).toEqual([409, 'state_full', tooMuch]);
    expect(await running.release.stored(stateMap)).toEqual(state);
  });

  it('what only the cluster counts is refused in its words', async () => {
    await running.release.removeConfigMap(stateMap);
    await running.subject.client.create(resources.configMaps, running.release.namespace, {
      metadata: { name: stateMap },
      binaryData: { note: Buffer.alloc(full - 10).toString('base64') },
    });
    expect(await running.release.answer('stand down')).toEqual([
      409,
      'state_full',
      'ConfigMap "svc-state" is invalid: []: Too long: may not be more than 1048576 bytes',
    ]);
    await running.release.setState({});
  });

  it('passkeys that have no room left are 409 too', async () => {
    const passkeys = { somebody: 'x'.repeat(full) };
    await running.release.setConfigMap(passkeyMap, passkeys);
    const { statusCode, json } = await running.release.register();
    expect([statusCode, json()]).toEqual([
      409,
      {
        code: 'state_full',
        message:
          'The passkeys have no room left: ConfigMap "svc-passkeys" is invalid: []: Too long: may not be more than 1048576 bytes',
      },
    ]);
    expect(await running.release.stored(passkeyMap)).toEqual(passkeys);
    await running.release.removeConfigMap(passkeyMap);
  });
});
