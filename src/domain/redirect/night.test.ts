import { describe, expect, it } from 'vitest';
import { exampleDeployment } from '../../../test/support/examples/workload-examples.ts';
import type { SkipReason } from '../targeting/targeting.ts';
import { type NightWorkload, type RedirectNight, satelliteWanted, stayingUp } from './night.ts';
import type { Service } from './service.ts';

const own = { app: 'web' };
const service: Service = {
  namespace: 'shop',
  name: 'web',
  uid: 'u1',
  resourceVersion: '7',
  type: 'ClusterIP',
  selector: own,
  annotations: {},
  labels: {},
  ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }],
  deleting: false,
};
const redirected: Service = { ...service, selector: { 'svc.io/satellite': 'web' } };
const record = { namespace: 'shop', name: 'web', uid: 'u1', selector: own, at: 1000 };
const workload = exampleDeployment({ name: 'web', podLabels: own, replicas: 2, readyReplicas: 2 });
const goesDown: NightWorkload = { workload, want: 'down' };
const nobody = () => false;
const night = (one: NightWorkload, more: Partial<RedirectNight> = {}): RedirectNight => ({
  records: new Map(),
  workloads: new Map([['shop', [one]]]),
  staysUp: nobody,
  ...more,
});
const excluded: SkipReason = { code: 'never_scale', text: 'a rule of the configuration keeps it up' };

describe('a satellite in the night', () => {
  const up = 'Deployment shop/web behind it stays up';
  const none = 'no Deployment or StatefulSet of its namespace makes pods with the labels of its selector, ';
  it.each<[string, RedirectNight, Service, string | undefined]>([
    ['for what goes down', night(goesDown), service, undefined],
    ['not for what another cluster keeps up', night({ workload, want: 'up' }), service, up],
    ['not for what is not ours', night({ workload, want: 'down', skipped: excluded }), service, up],
    ['not for what its owner raised', night(goesDown, { staysUp: () => true }), service, up],
    [
      'for what its owner has at zero',
      night({ workload: { ...workload, replicas: 0, readyReplicas: 0 }, want: 'up', skipped: excluded }),
      service,
      undefined,
    ],
    [
      'for one that points at it already, by the record where the mark is gone',
      night(goesDown, { records: new Map([['shop/web', record]]) }),
      redirected,
      undefined,
    ],
    ['not for one whose selector nobody knows', night(goesDown), redirected, none],
  ])('%s', (_, given, of, reason) => {
    const wanted = satelliteWanted(given, service, of);
    expect(wanted.wanted ? undefined : wanted.reason).toBe(reason);
  });
});

describe('what stays up though it should sleep', () => {
  const key = 'Deployment shop/web';
  const hibernation = { respected: [] as string[], failed: {} };
  it.each([
    ['nothing by day', { asleep: false, records: [workload] }, false],
    ['what was raised in the night', { asleep: true, records: [workload] }, true],
    ['not what has no record', { asleep: true, records: [] }, false],
    ['not another of the same name', { asleep: true, records: [{ ...workload, uid: 'other' }] }, false],
    ['nothing that a hibernation is still to lower', { hibernation, asleep: true, records: [workload] }, false],
    [
      'what a hibernation respects',
      { hibernation: { ...hibernation, respected: [key] }, asleep: false, records: [] },
      true,
    ],
    [
      'what it cannot lower',
      { hibernation: { ...hibernation, failed: { [key]: 'no' } }, asleep: false, records: [] },
      true,
    ],
  ])('%s', (_, given, expected) => {
    expect(stayingUp(given)(workload)).toBe(expected);
  });
});
