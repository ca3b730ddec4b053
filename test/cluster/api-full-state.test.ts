import { expect, it } from 'vitest';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { annotations, configMaps } from '../../src/domain/names.ts';
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
    'trigger hibernation',
    'set an override',
    'external wake',
    'external wake of named resources',
  ];

  const stops: readonly RequestName[] = ['stand down', 'wake up'];
  const beside = async () => {
    const ref = { namespace: running.release.namespace, name: stateMap };
    const { metadata } = await running.subject.client.get(resources.configMaps, ref);
    return Object.keys(metadata?.annotations ?? {}).filter((name) => name.startsWith(annotations.besideData));
  };

  it('every act that begins something is 409, changes nothing, and reads go on', async () => {
    const state = { note: 'x'.repeat(full) };
    await running.release.setState(state);
    for (const name of readNames) expect([name, await running.release.answer(name)]).toEqual([name, 200]);
    for (const name of actNames.filter((one) => !stops.includes(one))) {
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

  it('a stand-down and its end find room beside the data, and nobody else loses a byte', async () => {
    const state = { note: 'x'.repeat(full) };
    await running.release.setState(state);
    expect(await running.release.answer('stand down')).toBe(200);
    expect(await beside()).toContain('svc.io/state-stand-down');
    expect((await running.release.call('hibernationStatus')).json().standDown).toMatchObject({ source: 'admin' });
    expect(await running.release.answer('end the stand-down')).toBe(200);
    expect((await running.release.call('hibernationStatus')).json().standDown).toBeNull();
    expect(await running.release.stored(stateMap)).toEqual(state);
  });

  it('what only the cluster counts does not hold up a stand-down either', async () => {
    await running.release.removeConfigMap(stateMap);
    await running.subject.client.create(resources.configMaps, running.release.namespace, {
      metadata: { name: stateMap },
      binaryData: { note: Buffer.alloc(full - 10).toString('base64') },
    });
    expect(await running.release.answer('stand down')).toBe(200);
    expect(await beside()).toContain('svc.io/state-stand-down');
    await running.release.removeConfigMap(stateMap);
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
