import { beforeEach, describe, expect, it } from 'vitest';
import type { TransportRequest } from '../ports/transport.ts';
import {
  type AskOptions,
  configMap,
  deployment,
  EmbeddedApiFixture,
  JSON_PATCH,
  MERGE,
} from './embedded-api-fixture.ts';

const CONFIG_MAPS = '/api/v1/namespaces/shop/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/shop/deployments';
const PODS = '/api/v1/namespaces/shop/pods';

type Ask = [method: TransportRequest['method'], path: string, body?: unknown, options?: AskOptions];

describe('refusals of the API', () => {
  let fixture: EmbeddedApiFixture;

  beforeEach(async () => {
    fixture = new EmbeddedApiFixture();
    await fixture.ask('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
    await fixture.ask('POST', CONFIG_MAPS, configMap('a', {}, { k: 'v' }));
    await fixture.ask('POST', DEPLOYMENTS, deployment('web'));
  });

  const refusals: Record<string, [ask: Ask, status: number, reason: string, message: string]> = {
    'of an object that is not there': [['GET', `${CONFIG_MAPS}/no`], 404, 'NotFound', 'configmaps "no" not found'],
    'of a resource that is not there': [
      ['GET', '/api/v1/namespaces/shop/foos'],
      404,
      'NotFound',
      'the server could not find the requested resource',
    ],
    'of a subresource that is not there': [
      ['GET', `${CONFIG_MAPS}/a/status`],
      404,
      'NotFound',
      'the server could not find the requested resource',
    ],
    'of a second object of the same name': [
      ['POST', CONFIG_MAPS, configMap('a')],
      409,
      'AlreadyExists',
      'configmaps "a" already exists',
    ],
    'of an object in a namespace that is not there': [
      ['POST', '/api/v1/namespaces/no/configmaps', configMap('a')],
      404,
      'NotFound',
      'namespaces "no" not found',
    ],
    'of a name that is none': [
      ['POST', CONFIG_MAPS, configMap('Bad_Name')],
      422,
      'Invalid',
      `ConfigMap "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
    'of no name': [
      ['POST', CONFIG_MAPS, { metadata: {} }],
      422,
      'Invalid',
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    'of too much data': [
      ['POST', CONFIG_MAPS, configMap('big', {}, { k: 'x'.repeat(1_048_577) })],
      422,
      'Invalid',
      'ConfigMap "big" is invalid: []: Too long: may not be more than 1048576 bytes',
    ],
    'of too many annotations': [
      ['PATCH', `${CONFIG_MAPS}/a`, { metadata: { annotations: { a: 'x'.repeat(262_144) } } }, MERGE],
      422,
      'Invalid',
      'ConfigMap "a" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes',
    ],
    'of another kind': [
      ['POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } }],
      400,
      'BadRequest',
      'Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion',
    ],
    'of an empty body': [
      ['POST', CONFIG_MAPS, ''],
      400,
      'BadRequest',
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
    ],
    'of another namespace in the body': [
      ['POST', CONFIG_MAPS, { metadata: { name: 'x', namespace: 'other' } }],
      400,
      'BadRequest',
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    'of another name in the body': [
      ['PUT', `${CONFIG_MAPS}/a`, configMap('b')],
      400,
      'BadRequest',
      'the name of the object (b) does not match the name on the URL (a)',
    ],
    'of a stale version': [
      ['PATCH', `${DEPLOYMENTS}/web`, { metadata: { resourceVersion: '1' }, spec: { replicas: 0 } }, MERGE],
      409,
      'Conflict',
      'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
    ],
    'of a stale version rather than of bad content': [
      ['PATCH', `${DEPLOYMENTS}/web`, { metadata: { resourceVersion: '1' }, spec: { replicas: -1 } }, MERGE],
      409,
      'Conflict',
      'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
    ],
    'of a finalizer that is not qualified': [
      ['PATCH', `${CONFIG_MAPS}/a`, { metadata: { finalizers: ['x'] } }, MERGE],
      422,
      'Invalid',
      'ConfigMap "a" is invalid: metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
    ],
    'of an answer that is not JSON': [
      ['GET', `${CONFIG_MAPS}/a`, undefined, { accept: 'text/html' }],
      406,
      'NotAcceptable',
      '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ],
    'of a stale version of a scale': [
      ['PATCH', `${DEPLOYMENTS}/web/scale`, { metadata: { resourceVersion: '1' }, spec: { replicas: 0 } }, MERGE],
      409,
      'Conflict',
      'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
    ],
    'of fewer than no replicas': [
      ['PATCH', `${DEPLOYMENTS}/web`, { spec: { replicas: -1 } }, MERGE],
      422,
      'Invalid',
      'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    'of replicas that are no number': [
      ['PUT', `${DEPLOYMENTS}/web`, deployment('web', { replicas: 'x' })],
      400,
      'BadRequest',
      'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    'of another selector': [
      [
        'PATCH',
        `${DEPLOYMENTS}/web`,
        { spec: { selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } } } } },
        MERGE,
      ],
      422,
      'Invalid',
      'Deployment.apps "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"x"}}: field is immutable',
    ],
    'of a test that fails': [
      ['PATCH', `${CONFIG_MAPS}/a`, [{ op: 'test', path: '/data/k', value: 'w' }], JSON_PATCH],
      422,
      'Invalid',
      'the server rejected our request due to an error in our request',
    ],
    'of a patch of no known type': [
      ['PATCH', `${CONFIG_MAPS}/a`, {}],
      415,
      'UnsupportedMediaType',
      '415: Unsupported Media Type',
    ],
    'of a field selector that pods do not have': [
      ['GET', `${PODS}?fieldSelector=spec.foo%3Dx`],
      400,
      'BadRequest',
      'field label not supported: spec.foo',
    ],
    'of a field selector that config maps do not have': [
      ['GET', `${CONFIG_MAPS}?fieldSelector=data.k%3Dx`],
      400,
      'BadRequest',
      '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    'of a method that does not fit the path': [
      ['POST', `${CONFIG_MAPS}/a`, configMap('a')],
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
    ],
    'of a deletion with another uid': [
      ['DELETE', `${CONFIG_MAPS}/a`, { preconditions: { uid: 'other' } }],
      409,
      'Conflict',
      'Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (other) does not match the UID in record (UID). The object might have been deleted and then recreated',
    ],
    "of an event in a namespace that is not its subject's": [
      [
        'POST',
        '/api/v1/namespaces/shop/events',
        { metadata: { name: 'e' }, involvedObject: { kind: 'Namespace', name: 'shop' } },
      ],
      422,
      'Invalid',
      'Event "e" is invalid: involvedObject.namespace: Invalid value: "": does not match event.namespace',
    ],
    'of a version from the future': [
      ['GET', `${CONFIG_MAPS}?resourceVersion=999999`],
      504,
      'Timeout',
      'Timeout: Too large resource version: 999999, current: N',
    ],
  };
  it.each(Object.entries(refusals))('gives the refusal %s', async (_, [ask, status, reason, message]) => {
    const answer = await fixture.ask(...ask);
    const shown = answer.message.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'UID').replace(/current: \d+/, 'current: N');
    expect([answer.status, answer.body['reason'], shown]).toEqual([status, reason, message]);
    expect(answer.body).toMatchObject({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      code: status,
    });
  });
});
