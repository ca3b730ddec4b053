import { configMap, satellite } from '../harness/targets.ts';
import { type Attempt, configMapsHere, db, redirected, report, satellites, state, web } from './attempt.ts';

const mark = { metadata: { annotations: { 'svc.io/hibernated-replicas': '1', 'svc.io/hibernated-uid': 'x' } } };
const unmark = { metadata: { annotations: { 'svc.io/hibernated-replicas': null, 'svc.io/hibernated-uid': null } } };
const protection = (on: string | null, off: string | null) => ({
  metadata: {
    annotations: { 'karpenter.sh/do-not-disrupt': on, 'cluster-autoscaler.kubernetes.io/safe-to-evict': off },
  },
});

export function namespaceEvent(namespace: string): object {
  const own = namespace === 'default' ? {} : { namespace };
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { generateName: 'svc.', namespace },
    involvedObject: { apiVersion: 'v1', kind: 'Namespace', name: 'svc', ...own },
    reason: 'StoodDown',
    message: 'test',
    type: 'Warning',
  };
}

/** In this order: what one makes, a later one removes. */
export const allowed = (image: string): Readonly<Record<string, Attempt>> => ({
  'lower a Deployment and mark it, in one write': ['controller', 'PATCH', web, { ...mark, spec: { replicas: 0 } }],
  'raise it again and remove the mark': ['controller', 'PATCH', web, { ...unmark, spec: { replicas: 1 } }],
  'lower a StatefulSet': ['controller', 'PATCH', db, { ...mark, spec: { replicas: 0 } }],
  'raise it again': ['controller', 'PATCH', db, { ...unmark, spec: { replicas: 1 } }],
  'suspend a CronJob': ['controller', 'PATCH', report, { ...mark, spec: { suspend: true } }],
  'resume it': ['controller', 'PATCH', report, { ...unmark, spec: { suspend: false } }],
  'redirect a Service that is named': [
    'controller',
    'PATCH',
    redirected,
    {
      metadata: { annotations: { 'svc.io/original-selector': '{}' } },
      spec: { selector: { app: null, 'svc.io/satellite': 'web' } },
    },
  ],
  'point it back': [
    'controller',
    'PATCH',
    redirected,
    {
      metadata: { annotations: { 'svc.io/original-selector': null } },
      spec: { selector: { app: 'web', 'svc.io/satellite': null } },
    },
  ],
  'put up a satellite': ['controller', 'POST', satellites, satellite(image)],
  'take it down': ['controller', 'DELETE', `${satellites}/svc-satellite-web`],
  'create the state': ['controller', 'POST', configMapsHere, configMap('svc-state', {})],
  'write the state': ['controller', 'PATCH', state, { data: { resource_states: '[]' } }],
  'write an intent into the state': ['api', 'PATCH', state, { data: { wake_override: '{}' } }],
  'let the state go on in a further ConfigMap': ['controller', 'POST', configMapsHere, configMap('svc-state-1')],
  'remove one in which it went on': ['controller', 'DELETE', `${configMapsHere}/svc-state-1`],
  'make room for a stand-down': ['api', 'POST', configMapsHere, configMap('svc-state-2')],
  'open an audit file': ['controller', 'POST', configMapsHere, configMap('svc-audit-0')],
  'append to an audit file': ['controller', 'PATCH', `${configMapsHere}/svc-audit-0`, { data: { entries: 'x' } }],
  'drop an audit file past its retention': ['controller', 'DELETE', `${configMapsHere}/svc-audit-0`],
  'add a passkey': ['api', 'PATCH', `${configMapsHere}/svc-passkeys`, { data: { user: 'x' } }],
  'read the configuration': ['api', 'GET', `${configMapsHere}/svc-config`],
  'watch the license by name': [
    'controller',
    'GET',
    `${configMapsHere}?fieldSelector=metadata.name%3Dsvc-license&limit=1`,
  ],
  'protect our own pod from node autoscalers': [
    'controller',
    'PATCH',
    '/api/v1/namespaces/{svc}/pods/{app}',
    protection('true', 'false'),
  ],
  'release it': ['controller', 'PATCH', '/api/v1/namespaces/{svc}/pods/{app}', protection(null, null)],
  'emit a transition event': ['controller', 'POST', '/api/v1/namespaces/default/events', namespaceEvent('default')],
});
