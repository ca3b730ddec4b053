import { describe, expect, it } from 'vitest';
import { deployment, EmbeddedApiFixture, MERGE } from '../api/embedded-api-fixture.ts';
import { arrayOf, objectOf, valueAt } from './json-value.ts';

const PATH = '/apis/apps/v1/namespaces/default/deployments/web';

async function owners(fixture: EmbeddedApiFixture): Promise<Record<string, unknown>> {
  const { body } = await fixture.ask('GET', PATH);
  const entries = arrayOf(valueAt(body, 'metadata', 'managedFields')).map(objectOf);
  return Object.fromEntries(
    entries.map((entry) => [
      `${entry['manager']}${entry['subresource'] ? `/${entry['subresource']}` : ''}`,
      entry['fieldsV1'],
    ]),
  );
}

async function fixtureWithDeployment(): Promise<EmbeddedApiFixture> {
  const fixture = new EmbeddedApiFixture();
  await fixture.ask('POST', '/apis/apps/v1/namespaces/default/deployments?fieldManager=helm', deployment('web'));
  return fixture;
}

describe('managedFields', () => {
  it('give the creator every field it set or left to defaults', async () => {
    const fixture = await fixtureWithDeployment();
    expect(await owners(fixture)).toMatchObject({
      helm: { 'f:spec': { 'f:replicas': {}, 'f:template': {}, 'f:selector': {} } },
    });
  });

  it('move spec.replicas to whoever changed it, and record the annotations it set', async () => {
    const fixture = await fixtureWithDeployment();
    const patch = { metadata: { annotations: { 'svc.io/hibernated-replicas': '1' } }, spec: { replicas: 0 } };
    await fixture.ask('PATCH', `${PATH}?fieldManager=svc-controller`, patch, MERGE);
    const after = await owners(fixture);
    expect(after['svc-controller']).toEqual({
      'f:metadata': { 'f:annotations': { 'f:svc.io/hibernated-replicas': {} } },
      'f:spec': { 'f:replicas': {} },
    });
    expect(valueAt(after['helm'], 'f:spec', 'f:replicas')).toBeUndefined();
  });

  it('name the subresource of a scale, and lose an owner that owns nothing any more', async () => {
    const fixture = await fixtureWithDeployment();
    for (const [manager, replicas] of [
      ['first', 2],
      ['second', 3],
    ] as const) {
      await fixture.ask('PATCH', `${PATH}/scale?fieldManager=${manager}`, { spec: { replicas } }, MERGE);
    }
    const after = await owners(fixture);
    expect(after['second/scale']).toEqual({ 'f:spec': { 'f:replicas': {} } });
    expect(after['first/scale']).toBeUndefined();
  });

  it('take the name of the program when no manager is named', async () => {
    const fixture = await fixtureWithDeployment();
    await fixture.ask('PATCH', PATH, { spec: { replicas: 5 } }, MERGE);
    expect((await owners(fixture))['suite']).toEqual({ 'f:spec': { 'f:replicas': {} } });
  });

  it('forget a removed annotation', async () => {
    const fixture = await fixtureWithDeployment();
    const annotate = (value: string | null) =>
      fixture.ask('PATCH', `${PATH}?fieldManager=me`, { metadata: { annotations: { a: value } } }, MERGE);
    await annotate('1');
    await annotate(null);
    expect(JSON.stringify(await owners(fixture))).not.toContain('f:annotations');
  });

  it('refuse an apply that changes what another owns, unless it is forced', async () => {
    const fixture = await fixtureWithDeployment();
    const applied = JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: 7 },
    });
    const type = { type: 'application/apply-patch+yaml' };
    const refused = await fixture.ask('PATCH', `${PATH}?fieldManager=me`, applied, type);
    expect([refused.status, refused.message]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "helm" using apps/v1: .spec.replicas',
    ]);
    const forced = await fixture.ask('PATCH', `${PATH}?fieldManager=me&force=true`, applied, type);
    expect(valueAt(forced.body, 'spec', 'replicas')).toBe(7);
  });
});
