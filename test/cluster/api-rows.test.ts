import { describe, expect, it, vi } from 'vitest';
import { configMaps } from '../../src/domain/names.ts';
import { stateKeys } from '../../src/state/keys.ts';
import { eventually } from '../contract/subject.ts';
import { SoftwarePasskey } from '../support/software-passkey.ts';
import { ApiRelease, adminAddress } from './api/api-release.ts';
import { onBothClusters } from './api/on-both-clusters.ts';
import { actNames, fine, type RequestName, readNames, requests } from './api/requests.ts';
import { refusing, unreadable } from './api/undecodable-rows.ts';

/** Longer than an answer is shared. */
const soon = { timeout: 30_000, interval: 500 };
const { state: stateMap, passkeys: passkeyMap, license: licenseMap, insights: insightsMap } = configMaps;
const notJson = 'not JSON';

onBothClusters('the API', (running) => {
  const answer = (name: RequestName) => running.release.answer(name);

  it('answers everything while all is well', async () => {
    for (const name of readNames) expect([name, await answer(name)]).toEqual([name, fine(name)]);
    for (const name of actNames) {
      await running.release.setState({});
      expect([name, await answer(name)]).toEqual([name, fine(name)]);
    }
  });

  it('knows a row for every key of the state', () => {
    // `continued` has a test of its own: strangers are told of the list that goes on, not of where.
    expect([...Object.keys(refusing), 'continued'].toSorted()).toEqual(stateKeys.map(({ key }) => key).toSorted());
  });

  describe('with a value that cannot be decoded', () => {
    for (const [key, names] of Object.entries(refusing)) {
      // What is wrong inside a value is for those who are signed in.
      const message = (name: RequestName) =>
        `The value of ${key} in ConfigMap svc-state cannot be decoded${requests[name].open === true ? '' : ': it is not valid JSON'}.`;
      const expected = (name: RequestName) =>
        names.includes(name) ? [503, 'managed_state_unavailable', message(name)] : fine(name);

      it(`${key}: ${names.length} of ${readNames.length + actNames.length} refuse, and change nothing`, async () => {
        await running.release.setState({ [key]: notJson });
        for (const name of readNames) expect([name, await answer(name)]).toEqual([name, expected(name)]);
        for (const name of actNames) {
          await running.release.setConfigMap(stateMap, { [key]: notJson });
          expect([name, await answer(name)]).toEqual([name, expected(name)]);
          const after = await running.release.stored(stateMap);
          if (names.includes(name)) expect([name, after]).toEqual([name, { [key]: notJson }]);
          // An act that is told needs an outbox, and begins a new one.
          else if (key === 'outbox')
            expect([name, after?.[key]]).toEqual([name, expect.stringMatching(/^not JSON$|^\[[\s\S]*\]$/)]);
          else expect([name, after?.[key]]).toEqual([name, notJson]);
        }
      });
    }

    it('continued: what goes on elsewhere cannot be told, and a stand-down goes through', async () => {
      await running.release.setState({ continued: notJson });
      expect(await answer('status')).toEqual([
        503,
        'managed_state_unavailable',
        'The value of continued in ConfigMap svc-state cannot be decoded: it is not valid JSON.',
      ]);
      expect(await answer('stand down')).toBe(200);
    });

    const wrongShape = {
      resource_states: ['{}', 'it must be an array, not an object.'],
      wake_override: ['[]', 'it must be an object, not an array.'],
      ignored_resources: ['7', 'it must be an array, not 7.'],
    } as const;
    for (const [key, [text, why]] of Object.entries(wrongShape)) {
      it(`${key} of another shape is named too, with what is wrong`, async () => {
        await running.release.setState({ [key]: text });
        expect(await answer('ignored resources')).toEqual([
          503,
          'managed_state_unavailable',
          `The value of ${key} in ConfigMap svc-state cannot be decoded: ${why}`,
        ]);
      });
    }

    const degraded = {
      ignored_resources: ['debug', { resources: { excluded: 0 } }],
      external_wake_sessions: ['debug', { externalWake: { enabled: true, activeSessions: 0 } }],
      database_states: ['warn', { databases: { configured: 1, statuses: {} } }],
    } as const;
    for (const [key, [level, shown]] of Object.entries(degraded)) {
      it(`${key} only degrades the dashboard, and is logged at ${level}`, async () => {
        // What many ask in the same second is gathered, and logged, once.
        running.release.log.length = 0;
        await running.release.setState({ [key]: notJson });
        const dashboard = await running.release.call('dashboardStatus');
        expect([dashboard.statusCode, dashboard.json()]).toMatchObject([200, shown]);
        const lines = running.release.log.filter(({ fields }) => fields['key'] === key);
        expect([...new Set(lines.map((line) => line.level))]).toEqual([level]);
      });
    }

    it('svc-passkeys: as if there were none, and the mailed code still works', async () => {
      await running.release.setState({});
      const passkey = new SoftwarePasskey();
      const registered = await running.release.register(passkey);
      expect([registered.statusCode, registered.json()]).toMatchObject([200, { passkey: { name: 'Passkey' } }]);
      const keys = Object.keys((await running.release.stored(passkeyMap)) ?? {});
      await running.release.setConfigMap(passkeyMap, Object.fromEntries(keys.map((key) => [key, notJson])));
      expect((await running.release.call('passkeys')).json()).toEqual({ enabled: true, items: [] });
      const { challengeId, options } = (await running.release.call('passkeySignInOptions')).json();
      const response = passkey.authenticate(options.challenge, 'https://svc.example.com', 'svc.example.com');
      const refused = await running.release.call('signInWithPasskey', { body: { challengeId, response } });
      expect([refused.statusCode, refused.json()]).toEqual([
        401,
        { code: 'passkey_refused', message: 'The passkey was not accepted.' },
      ]);
      expect((await running.release.call('requestOtp', { body: { email: adminAddress } })).statusCode).toBe(200);
      await running.release.removeConfigMap(passkeyMap);
    });

    it('svc-insights: available is false, with the key', async () => {
      await running.release.setConfigMap(insightsMap, { head: notJson });
      const message = 'The value of head in ConfigMap svc-insights cannot be decoded';
      for (const id of ['insights', 'dashboardInsights'] as const) {
        // Where many ask, as the rows before did, an answer is shared for a while.
        await vi.waitFor(async () => {
          const { statusCode, json } = await running.release.call(id);
          const expected = { enabled: true, available: false, message, report: null };
          expect([id, statusCode, json()]).toEqual([id, 200, expected]);
        }, soon);
      }
      await running.release.removeConfigMap(insightsMap);
    });

    it('svc-audit: the line is left out, and counted', async () => {
      await running.release.setState({});
      await running.release.setConfigMap(`${configMaps.auditPrefix}0`, { entries: `${notJson}\n` });
      expect((await running.release.call('audit')).json()).toEqual({ entries: [], total: 0, unreadable: 1 });
      await running.release.removeConfigMap(`${configMaps.auditPrefix}0`);
    });

    it('svc-license: unlicensed, and nothing that scales is done', async () => {
      await running.release.setState({});
      await running.release.setConfigMap(licenseMap, { license: notJson });
      await eventually(
        async () => (await running.release.call('license')).json().verdict,
        (verdict) => verdict === 'unlicensed',
      );
      const { reason } = (await running.release.call('license')).json();
      for (const name of ['trigger hibernation', 'wake up', 'resume the schedule'] as const) {
        expect([name, await answer(name)]).toEqual([
          name,
          [409, 'unlicensed', 'The license does not let the service act.'],
        ]);
      }
      expect(reason).toBe('The license must begin with the line -----BEGIN SVC LICENSE-----.');
      expect(await running.release.stored(stateMap)).toEqual({});
      await running.release.removeConfigMap(licenseMap);
      await eventually(
        async () => (await running.release.call('license')).json().verdict,
        (verdict) => verdict === 'licensed',
      );
    });
  });

  describe('without the right to', () => {
    const forbidden = (verb: string, name = '') => {
      const what = name === '' ? 'configmaps' : `configmaps "${name}"`;
      const { user, namespace } = running.release;
      return `${what} is forbidden: User "${user}" cannot ${verb} resource "configmaps" in API group "" in the namespace "${namespace}"`;
    };
    const writes: readonly RequestName[] = [
      'stand down',
      'trigger hibernation',
      'wake up',
      'set an override',
      'external wake',
      'external wake of named resources',
    ];

    it('get: 503 on what needs the state, 500 on the listings, and it clears itself', async () => {
      await running.release.setState({});
      const giveBack = await running.release.revoke('configmaps', 'get');
      // What was read a second ago is not served any more.
      await eventually(
        () => answer('status'),
        (seen) => seen !== 200,
      );
      for (const name of [...readNames, ...actNames]) {
        const passkeys = `The passkeys could not be read: ${forbidden('get', passkeyMap)}`;
        const expected = name.includes('passkey')
          ? [503, 'managed_state_unavailable', passkeys]
          : (unreadable(name, forbidden('get', stateMap)) ?? fine(name));
        expect([name, await answer(name)]).toEqual([name, expected]);
      }
      await giveBack();
      await eventually(
        () => answer('status'),
        (seen) => seen === 200,
      );
      expect(await running.release.stored(stateMap)).toEqual({});
    });

    it('list: the audit log is 500', async () => {
      const giveBack = await running.release.revoke('configmaps', 'list');
      expect(await answer('audit')).toEqual([
        500,
        'read_failed',
        `The audit log could not be read: ${forbidden('list')}`,
      ]);
      await giveBack();
      expect(await answer('audit')).toBe(200);
    });

    for (const verb of ['patch', 'create'] as const) {
      it(`${verb}: every act that writes is 503 and changes nothing`, async () => {
        const before = verb === 'patch' ? {} : undefined;
        for (const name of [stateMap, passkeyMap]) {
          if (verb === 'patch') await running.release.setConfigMap(name, {});
          else await running.release.removeConfigMap(name);
        }
        const giveBack = await running.release.revoke('configmaps', verb);
        const named = (name: string) => forbidden(verb, verb === 'patch' ? name : '');
        for (const name of actNames) {
          const message = `The managed state could not be written: ${named(stateMap)}`;
          const expected = writes.includes(name) ? [503, 'managed_state_unavailable', message] : fine(name);
          expect([name, await answer(name)]).toEqual([name, expected]);
        }
        const { statusCode, json } = await running.release.register();
        expect([statusCode, json()]).toEqual([
          503,
          {
            code: 'managed_state_unavailable',
            message: `The passkeys could not be written: ${named(passkeyMap)}`,
          },
        ]);
        expect(await running.release.stored(stateMap)).toEqual(before);
        expect(await running.release.stored(passkeyMap)).toEqual(before);
        await giveBack();
      });
    }

    it('list webhooks: the preview does without their warnings', async () => {
      await running.release.setState({});
      const giveBack = await running.release.revoke('validatingwebhookconfigurations', 'list');
      expect(await answer('preview')).toBe(200);
      await giveBack();
    });

    it('list workloads: it does not become ready, and the listings are 500', async () => {
      const fresh = await ApiRelease.install(running.subject);
      const giveBack = await fresh.revoke('statefulsets', 'list', 'watch');
      await fresh.start();
      expect(fresh.running.ready()).toBe(false);
      for (const name of ['resources', 'resources of a namespace', 'ignored resources', 'resource stats'] as const) {
        expect([name, await fresh.answer(name)]).toEqual([
          name,
          [500, 'read_failed', 'The resources could not be read: the cluster has not been listed yet.'],
        ]);
      }
      await giveBack();
      await fresh.untilReady();
      await fresh.close();
    });
  });

  it('with an apiserver that is away: 503, and 500 on the listings, until it is back', async () => {
    await running.release.setState({});
    await running.release.line.cut();
    await eventually(
      () => answer('status'),
      (seen) => seen !== 200,
    );
    const { url, port } = running.release.line;
    const why = `(no answer within 5 s|No answer from ${url}: connect ECONNREFUSED 127\\.0\\.0\\.1:${port})`;
    const names = [...readNames, ...actNames];
    // At once, because each of them is patient for some seconds.
    const seen = await Promise.all(names.map(async (name) => [name, await answer(name)] as const));
    const words = (text: string) => expect.stringMatching(new RegExp(`^${text}${why}$`));
    for (const [name, got] of seen) {
      const passkeys = [503, 'managed_state_unavailable', words('The passkeys could not be read: ')];
      const audit = [500, 'read_failed', words('The audit log could not be read: ')];
      const refused = unreadable(name, '');
      const told = refused?.[2].endsWith(': ') ? [refused[0], refused[1], words(refused[2])] : refused;
      const expected = name.includes('passkey') ? passkeys : name === 'audit' ? audit : (told ?? 200);
      expect([name, got]).toEqual([name, expected]);
    }
    await running.release.line.mend();
    await eventually(
      () => answer('status'),
      (now) => now === 200,
    );
    expect(await running.release.stored(stateMap)).toEqual({});
  });
});
