import { describe, expect, it } from 'vitest';
import { onWhenNamed } from '../../src/domain/kinds/kinds.ts';
import { type Right, rightsTable } from '../../tools/generate/rights-table.ts';
import { podsOf, type Rendered, releaseNamespace, render } from './harness/helm.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** One line a verb on a resource: `account | where | group/resource [names] | verb`. */
function rights(objects: readonly Rendered[]): readonly string[] {
  const lines = objects
    .filter(({ kind }) => kind === 'RoleBinding' || kind === 'ClusterRoleBinding')
    .flatMap((binding) => {
      const { kind, name } = binding['roleRef'] as { kind: string; name: string };
      const { namespace } = binding.metadata;
      const role = objects.find((one) => {
        return one.kind === kind && one.metadata.name === name && one.metadata.namespace === namespace;
      });
      const subjects = binding['subjects'] as readonly { name: string; namespace: string }[];
      const rules = (role?.['rules'] ?? []) as readonly Rule[];
      return subjects.flatMap((subject) =>
        rules.map((rule) => {
          const what = rule.apiGroups.flatMap((group) =>
            rule.resources.map((one) => (group ? `${group}/${one}` : one)),
          );
          const names = rule.resourceNames === undefined ? '' : ` [${rule.resourceNames.join(' ')}]`;
          const where = namespace ?? 'cluster';
          return `${subject.namespace}/${subject.name} | ${where} | ${what.join(' ')}${names} | ${rule.verbs.join(' ')}`;
        }),
      );
    });
  return lines.toSorted();
}

const redirection = {
  config: {
    serviceRedirection: {
      enabled: true,
      services: [
        { namespace: 'shop', name: 'web' },
        { namespace: 'crm', name: 'web' },
        { namespace: 'shop', name: 'api' },
      ],
    },
  },
};

const unfenced = 'admissionPolicy.enabled: false';

/** The reviewed list in the same notation. */
function reviewed(isGranted: (right: Right) => boolean): readonly string[] {
  const services = Object.groupBy(redirection.config.serviceRedirection.services, ({ namespace }) => namespace);
  const lines = rightsTable.filter(isGranted).flatMap(({ account, where, group, resources, named, verbs }) => {
    const places = where === 'redirected' ? Object.keys(services) : [where === 'release' ? releaseNamespace : where];
    const what = resources.map((one) => (group ? `${group}/${one}` : one)).join(' ');
    return places.map((place) => {
      const prefix = named === 'their satellites' ? 'svc-satellite-' : '';
      const redirected = (services[place] ?? []).map(({ name }) => `${prefix}${name}`).join(' ');
      const names = named === 'state and passkeys' ? 'svc-state svc-passkeys' : redirected;
      const which = named === undefined ? '' : ` [${names}]`;
      return `${releaseNamespace}/svc-${account} | ${place} | ${what}${which} | ${verbs.join(' ')}`;
    });
  });
  return lines.toSorted();
}

const always = reviewed(({ feature }) => feature === undefined || feature === 'admissionPolicy.enabled');
const kinds = 'config.targeting.kinds';

describe('the rights that the chart grants', () => {
  it('are the reviewed list, with every feature off', async () => {
    expect(rights(await render())).toEqual(always);
  });

  it('grow by the satellites of redirected services, in their namespaces alone', async () => {
    expect(rights(await render(redirection))).toEqual(
      reviewed(({ feature }) => feature !== unfenced && feature !== kinds),
    );
  });

  it('grow by the kinds that are named, and by no others', async () => {
    const named = (...names: string[]) => render({ config: { targeting: { kinds: names } } });
    const more = (objects: readonly Rendered[]) => rights(objects).filter((line) => !always.includes(line));
    expect(more(await named(...onWhenNamed))).toEqual(
      reviewed(({ feature }) => feature === kinds).filter((line) => !always.includes(line)),
    );
    expect(more(await named('Kustomization')).map((line) => line.split(' | ').slice(2))).toEqual([
      ['kustomize.toolkit.fluxcd.io/kustomizations', 'list watch'],
      ['kustomize.toolkit.fluxcd.io/kustomizations', 'get list watch patch'],
    ]);
  });

  it('grow by a kind that is described, and its one place is all that the policy lets us change', async () => {
    const farm = { kind: 'Farm', group: 'example.com', version: 'v1', plural: 'farms' };
    const kindsOf = (...described: readonly object[]) => render({ config: { targeting: { kinds: described } } });
    const objects = await kindsOf({ ...farm, field: { pointer: '/spec/a~1b/size', value: 'stopped' } });
    const more = rights(objects).filter((line) => !always.includes(line));
    expect(more.map((line) => line.split(' | ').slice(2))).toEqual([
      ['example.com/farms', 'list watch'],
      ['example.com/farms', 'get list watch patch'],
    ]);
    const policy = JSON.stringify(objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy'));
    expect(policy).toContain("'Farm': ['a/b']");
    expect(policy).toContain('svc may not change spec of this Farm but for spec.a/b.size');
    expect(policy).toContain("[?'a/b'][?'size'].orValue(dyn(null)) == 'stopped'");
    const scaled = JSON.stringify(await kindsOf({ ...farm, scale: '/spec/size', ready: { condition: 'Ready' } }));
    expect(scaled).toContain("(has(object.spec) ? dyn(object.spec) : dyn({}))[?'size'].orValue(dyn(null)) == 0");
    const annotated = await kindsOf({ ...farm, field: null, annotation: { name: 'example.com/off', value: 'true' } });
    expect(JSON.stringify(annotated)).toContain("{'Farm': ['example.com/off']}");
  });

  it('do not grow with any other feature', async () => {
    const features = {
      config: {
        auth: { webauthn: { enabled: true } },
        externalWake: { enabled: true, localClusterName: 'dev' },
        awsCosts: { enabled: true, tagValue: 'dev' },
        notifications: { enabled: true },
        urlReadinessCheck: { enabled: true },
        dashboardApi: { enabled: true },
      },
    };
    expect(rights(await render(features))).toEqual(always);
  });

  it('keep what ends a redirect, whatever the values name now, and nothing that begins one', async () => {
    const off = { config: { serviceRedirection: { ...redirection.config.serviceRedirection, enabled: false } } };
    expect(rights(await render(off))).toEqual(always);
    const ending = reviewed(({ feature }) => feature === 'admissionPolicy.enabled');
    expect(ending.map((line) => line.split(' | ').slice(1))).toEqual([
      ['cluster', 'apps/deployments', 'delete'],
      ['cluster', 'services', 'patch'],
    ]);
  });

  it('are held to the names in the values where no policy holds them to our marks', async () => {
    const off = { config: { serviceRedirection: { ...redirection.config.serviceRedirection, enabled: false } } };
    const ending = reviewed(({ feature }) => feature === unfenced);
    expect(ending.map((line) => line.split(' | ').slice(1))).toEqual([
      ['crm', 'apps/deployments [svc-satellite-web]', 'delete'],
      ['crm', 'services [web]', 'patch'],
      ['shop', 'apps/deployments [svc-satellite-web svc-satellite-api]', 'delete'],
      ['shop', 'services [web api]', 'patch'],
    ]);
    const plain = reviewed(({ feature }) => feature === undefined);
    expect(rights(await render({ ...off, admissionPolicy: { enabled: false } }))).toEqual(
      [...plain, ...ending].toSorted(),
    );
  });

  it('are fenced as long as they are granted: the policy about satellites is there with them', async () => {
    const policies = async (values: Parameters<typeof render>[0]) =>
      (await render(values)).filter(({ kind, metadata }) => {
        return kind === 'ValidatingAdmissionPolicy' && metadata.name.endsWith('-satellites');
      }).length;
    const bare = { admissionPolicy: { enabled: false } };
    expect([await policies({}), await policies(redirection), await policies(bare)]).toEqual([1, 1, 0]);
  });

  it('are none at all with rbac.create off', async () => {
    expect(rights(await render({ rbac: { create: false } }))).toEqual([]);
  });

  it('name the events role once when the release is in the namespace default', async () => {
    const lines = rights(await render({}, { namespace: 'default' }));
    const events = lines.filter((line) => line.includes('svc-controller') && line.includes('events'));
    expect(events).toEqual(['default/svc-controller | default | events | create']);
  });

  it('hold no wildcard, no Secret, no exec and no way to more rights', async () => {
    const text = rights(await render(redirection)).join('\n');
    expect(text).not.toMatch(
      /\*|secrets|exec|attach|portforward|impersonate|escalate|bind|serviceaccounts|token|roles/,
    );
  });
});

describe('the pods that the chart runs', () => {
  it('have a token in the containers that need one, and in no other', async () => {
    const pods = podsOf(await render());
    expect(pods.every((pod) => pod.automountServiceAccountToken === false)).toBe(true);
    const withToken = pods
      .flatMap((pod) => pod.containers)
      .filter(({ volumeMounts = [] }) => volumeMounts.some(({ name }) => name === 'cluster-access'));
    expect(withToken.map(({ name }) => name).toSorted()).toEqual(['api', 'controller', 'hand-back']);
  });

  it('have a read-only root, no privileges and no root user', async () => {
    const containers = podsOf(await render()).flatMap((pod) => pod.containers);
    expect(containers.map(({ name }) => name).toSorted()).toEqual([
      'api',
      'controller',
      'frontend',
      'hand-back',
      'test',
    ]);
    for (const { securityContext } of containers) {
      expect(securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        runAsNonRoot: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });
});
