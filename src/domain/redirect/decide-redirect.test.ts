import { describe, expect, it } from 'vitest';
import { exampleDeployment } from '../../../test/support/examples/workload-examples.ts';
import { annotations } from '../names.ts';
import { standsBehind, wantsSatellite } from './backing.ts';
import { decideRedirect, type RedirectInput } from './decide-redirect.ts';
import { satelliteManifest, satelliteSpec } from './satellite-manifest.ts';
import { satellitePorts, unsuitable } from './satellite-ports.ts';
import type { Service } from './service.ts';

const own = { app: 'web' };
const ours = { 'svc.io/satellite': 'web' };
const mark = { [annotations.originalSelector]: '{"app":"web"}' };
const minute = 60_000;

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
const redirected: Service = { ...service, selector: ours, annotations: mark };
const record = { namespace: 'shop', name: 'web', uid: 'u1', selector: own, at: 1000 };
const ready = { ready: true, current: true };
const withoutService = ({ service: _, ...input }: RedirectInput): RedirectInput => input;
const asleep: RedirectInput = {
  want: 'satellite',
  because: 'b',
  mayLift: false,
  nothingServes: false,
  now: 2000,
  service,
};
const awake: RedirectInput = { ...asleep, want: 'own', mayLift: true };

describe('a redirect goes one write at a time', () => {
  const rows: [string, RedirectInput, object][] = [
    ['nothing is recorded yet', asleep, { act: 'record', record: { ...record, at: 2000 } }],
    ['it is recorded', { ...asleep, record }, { act: 'create-satellite' }],
    [
      'its satellite starts',
      { ...asleep, record, satellite: { ...ready, ready: false } },
      { act: 'none', settled: false },
    ],
    ['its satellite is ready', { ...asleep, record, satellite: ready }, { act: 'redirect' }],
    [
      'its satellite starts, and nothing else serves',
      { ...asleep, record, nothingServes: true, satellite: { ...ready, ready: false } },
      { act: 'redirect' },
    ],
    ['it is redirected', { ...asleep, service: redirected, record, satellite: ready }, { act: 'none', settled: true }],
    ['its satellite went away', { ...asleep, service: redirected, record }, { act: 'create-satellite' }],
    [
      'its ports or the image changed',
      { ...asleep, service: redirected, record, satellite: { ...ready, current: false } },
      { act: 'remove-satellite' },
    ],
    [
      'its record was lost',
      { ...asleep, service: redirected, satellite: ready },
      { act: 'record', record: { ...record, at: 2000 } },
    ],
    [
      'its record is of another uid',
      { ...asleep, record: { ...record, uid: 'u0' } },
      { act: 'record', record: { ...record, at: 2000 } },
    ],
    [
      'record and annotation were lost',
      { ...asleep, service: { ...redirected, annotations: {} }, satellite: ready },
      { act: 'none', settled: false, warn: true },
    ],
    [
      'its selector changed before it was redirected',
      { ...asleep, record: { ...record, selector: { app: 'old' } } },
      { act: 'record', record: { ...record, at: 2000 } },
    ],
    [
      'its selector changed long after the record',
      { ...asleep, record: { ...record, selector: { app: 'old' } }, now: 1000 + 16 * minute },
      { act: 'none', settled: true, reason: 'its owner gave it another selector, which is respected' },
    ],
    [
      'its owner took it back in the night',
      { ...asleep, service: { ...redirected, selector: { app: 'other' } }, record, satellite: ready },
      { act: 'none', settled: true, reason: 'its owner gave it another selector, which is respected' },
    ],
    ['it does not exist', withoutService(asleep), { act: 'none', settled: true, reason: 'there is no such Service' }],
    [
      'it has no selector',
      { ...asleep, service: { ...service, selector: {} } },
      { act: 'none', settled: true, reason: 'it has no selector' },
    ],
  ];
  it.each(rows)('%s', (_, input, step) => {
    const { service: given, ...rest } = input;
    expect(decideRedirect(given === undefined ? rest : input)).toMatchObject(step);
  });
});

describe('the way back goes one write at a time', () => {
  const rows: [string, RedirectInput, object][] = [
    [
      'its pods are not ready',
      { ...awake, mayLift: false, service: redirected, record, satellite: ready },
      { act: 'none', settled: false },
    ],
    [
      'its pods are ready',
      { ...awake, service: redirected, record, satellite: ready },
      { act: 'restore', selector: own },
    ],
    [
      'record and annotation disagree: the annotation was written with the redirect',
      { ...awake, service: redirected, record: { ...record, selector: { app: 'x' } } },
      { act: 'restore', selector: own },
    ],
    [
      'the annotation is gone',
      { ...awake, service: { ...redirected, annotations: {} }, record },
      { act: 'restore', selector: own },
    ],
    [
      'the annotation is broken',
      { ...awake, service: { ...redirected, annotations: { [annotations.originalSelector]: '{"app":1}' } }, record },
      { act: 'restore', selector: own },
    ],
    ['only the annotation is left', { ...awake, service: redirected }, { act: 'restore', selector: own }],
    [
      'nothing is left to restore from',
      { ...awake, service: { ...redirected, annotations: {} } },
      { act: 'none', settled: false, warn: true },
    ],
    [
      'a record of another uid does not count',
      { ...awake, service: { ...redirected, annotations: {} }, record: { ...record, uid: 'u0' } },
      { act: 'none', settled: false, warn: true },
    ],
    [
      'its owner took it back: the mark goes, the selector stays',
      { ...awake, service: { ...redirected, selector: { app: 'other' } }, record, satellite: ready },
      { act: 'disown' },
    ],
    ['it is restored, the satellite still stands', { ...awake, record, satellite: ready }, { act: 'remove-satellite' }],
    ['the satellite is gone', { ...awake, record }, { act: 'drop-record' }],
    ['the service was deleted', { ...withoutService(awake), record, satellite: ready }, { act: 'remove-satellite' }],
    ['the satellite stands and its record was lost', { ...awake, satellite: ready }, { act: 'remove-satellite' }],
    ['it was never redirected', awake, { act: 'none', settled: true }],
  ];
  it.each(rows)('%s', (_, input, step) => {
    const { service: given, ...rest } = input;
    expect(decideRedirect(given === undefined ? rest : input)).toMatchObject(step);
  });
});

describe('what a satellite listens on', () => {
  it('takes numbers and names once each, and TCP alone', () => {
    const ports = [
      { port: 80, protocol: 'TCP', targetPort: 'http' },
      { port: 81, protocol: 'TCP', targetPort: 'http' },
      { port: 443, protocol: 'TCP', targetPort: 20_000 },
      { port: 8080, protocol: 'TCP', targetPort: 8080 },
      { port: 53, protocol: 'UDP', targetPort: 53 },
    ];
    expect(satellitePorts({ ...service, ports })).toEqual([
      { number: 8080 },
      { number: 20_000 },
      { number: 20_001, name: 'http' },
    ]);
  });

  it.each([
    ['ExternalName', { type: 'ExternalName' }, 'it is of type ExternalName and has no pods'],
    [
      'UDP alone',
      { ports: [{ port: 53, protocol: 'UDP', targetPort: 53 }] },
      'it has no TCP port, and a satellite answers HTTP',
    ],
    ['on its way out', { deleting: true }, 'it is being deleted'],
  ])('nothing for a service that is %s', (_, change, reason) => {
    expect(unsuitable({ ...service, ...change })).toBe(reason);
  });
});

describe('a satellite', () => {
  const settings = {
    image: 'r/satellite:1',
    imagePullPolicy: 'IfNotPresent',
    imagePullSecrets: ['pull'],
    placement: { nodeSelector: { pool: 'infra' }, tolerations: [{ key: 'infra', operator: 'Exists' }] },
    statusUrl: 'http://svc-app',
    clusterName: 'c',
    externalUrl: 'https://svc.example.com',
  };
  it('has no account, no token, no privileges, and is never hibernated itself', () => {
    const ports = [{ port: 80, protocol: 'TCP', targetPort: 80 }];
    const { metadata, spec } = satelliteManifest({ ...service, ports }, settings);
    expect(metadata).toMatchObject({
      namespace: 'shop',
      name: 'svc-satellite-web',
      annotations: { 'svc.io/exclude': 'true' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'web', uid: 'u1' }],
    });
    expect(spec).toMatchObject({
      selector: { matchLabels: ours },
      template: {
        spec: {
          automountServiceAccountToken: false,
          imagePullSecrets: [{ name: 'pull' }],
          nodeSelector: { pool: 'infra' },
          tolerations: [{ key: 'infra', operator: 'Exists' }],
          securityContext: {
            runAsNonRoot: true,
            sysctls: [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }],
          },
          containers: [
            {
              image: 'r/satellite:1',
              ports: [{ containerPort: 80 }],
              securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
            },
          ],
        },
      },
    });
  });

  it('names no user: the image has one, and a platform that assigns users refuses any other', () => {
    expect(JSON.stringify(satelliteManifest(service, settings))).not.toContain('runAsUser');
  });

  it('is made anew when anything it is made from changes', () => {
    const before = satelliteSpec(service, settings);
    expect(satelliteSpec({ ...service, resourceVersion: '8', selector: ours }, settings)).toBe(before);
    expect(satelliteSpec(service, { ...settings, image: 'r/satellite:2' })).not.toBe(before);
  });
});

describe('what stands behind a service', () => {
  const workload = (podLabels: Record<string, string>) => exampleDeployment({ name: 'web', podLabels });
  const rows: [string, Record<string, string>, Record<string, string>, boolean][] = [
    ['the labels of the pods', { app: 'web' }, { app: 'web' }, true],
    ['fewer labels than the pods have', { app: 'web' }, { app: 'web', tier: 'a' }, true],
    ['a label that only the template has', { tier: 'a' }, { app: 'web', tier: 'a' }, true],
    ['more labels than the pods have', { app: 'web', tier: 'a' }, { app: 'web' }, false],
    ['another value', { app: 'web' }, { app: 'api' }, false],
    ['nothing in common', { app: 'web' }, { name: 'web' }, false],
    ['no labels at all', {}, { app: 'web' }, false],
  ];
  it.each(rows)('%s', (_, selector, labels, expected) => {
    expect(standsBehind(selector, workload(labels))).toBe(expected);
  });

  const down = { workload: workload(own), sleeps: true };
  it('must all sleep for a satellite to be wanted', () => {
    expect(wantsSatellite(service, own, [down])).toEqual({ wanted: true });
    expect(wantsSatellite(service, own, [down, { ...down, sleeps: false }])).toEqual({
      wanted: false,
      reason: 'Deployment shop/web behind it stays up',
      unfit: false,
    });
  });

  it.each([
    ['a misspelt one', undefined, 'there is no such Service'],
    ['an ExternalName', { ...service, type: 'ExternalName' }, 'it is of type ExternalName and has no pods'],
    ['one without a selector', { ...service, selector: {} }, 'it has no selector'],
    [
      'one of UDP alone',
      { ...service, ports: [{ port: 53, protocol: 'UDP', targetPort: 53 }] },
      'it has no TCP port, and a satellite answers HTTP',
    ],
    [
      'one whose selector picks the pods of no workload',
      service,
      'no Deployment or StatefulSet of its namespace makes pods with the labels of its selector, app=web',
    ],
  ])('is no satellite for %s, and the reason says so', (_, given, reason) => {
    expect(wantsSatellite(given, given?.selector ?? {}, [])).toEqual({ wanted: false, reason, unfit: true });
  });
});
