import { describe, expect, it } from 'vitest';
import { chartFolder, helm, releaseNamespace, smallestValues, type Values, valuesFile } from './harness/helm.ts';

/** What helm says after an install of these values over the smallest ones, without a cluster. */
async function notesOf(values: Values): Promise<string> {
  const files = [smallestValues, values].flatMap((one) => ['--values', valuesFile(one)]);
  const args = ['install', 'svc', chartFolder, '--namespace', releaseNamespace, '--dry-run=client', ...files];
  const { status, stdout, stderr } = await helm(args);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.slice(stdout.indexOf('NOTES:'));
}

const complete = { auth: { adminUsers: ['ops@example.com'] }, smtp: { host: 'mail.example.com' } };

const cases: Readonly<Record<string, { values: Values; says: string }>> = {
  'how to see what a dry run would do': {
    values: { config: { operations: { dryRun: true } } },
    says: 'kubectl svc plan',
  },
  'what <chart> stands for': {
    values: {},
    says: '(<chart> is svc as you named it to helm: a folder such as charts/svc, an archive or an address.)',
  },
  'a dry run first': {
    values: {},
    says: `helm upgrade svc <chart> -n ${releaseNamespace} --reuse-values --set config.operations.dryRun=true`,
  },
  'how to let it act': {
    values: { config: { operations: { dryRun: true } } },
    says: `helm upgrade svc <chart> -n ${releaseNamespace} --reuse-values --set config.operations.dryRun=false`,
  },
  'that it is stood down': {
    values: { config: { global: { enabled: false } } },
    says: 'It is stood down by the configuration: it hands everything back and then scales nothing',
  },
  'how to stop everything': { values: {}, says: '--reuse-values --set config.global.enabled=false' },
  'the safe uninstall': { values: {}, says: `helm uninstall svc -n ${releaseNamespace} --timeout 15m` },
  'that an uninstall hands nothing back': {
    values: { uninstall: { handBack: false } },
    says: 'Nothing is handed back by it (uninstall.handBack is false)',
  },
  'the namespace of the pods and of the release, each where it belongs': {
    values: { namespace: { name: 'elsewhere' } },
    says: 'kubectl port-forward -n elsewhere service/svc-app 8080:80',
  },
  'that nobody is an admin': { values: {}, says: 'WARNING: config.auth.adminUsers is empty' },
  'that no mail can be sent': { values: {}, says: 'WARNING: config.smtp.host is empty' },
  'that every sign-in is rejected': {
    values: { config: { smtp: { enabled: false } } },
    says: 'WARNING: config.smtp.enabled is false, so every sign-in is rejected.',
  },
  'that two replicas are not supported': { values: { replicaCount: 2 }, says: 'WARNING: replicaCount is 2.' },
  'that a brand is incomplete': {
    values: { branding: { name: 'Example' } },
    says: 'WARNING: a brand needs branding.name and branding.logo.light; without both the API ignores it.',
  },
  'that a color is not written as it must be': {
    values: { branding: { accentColor: 'blue' } },
    says: 'WARNING: branding.accentColor is "blue"; it must be written #RRGGBB. The API ignores the whole brand.',
  },
  'how to see whether a brand is taken': {
    values: { branding: { accentColor: '#0b5394' } },
    says: 'Is it taken? kubectl svc doctor says so.',
  },
  'that an own list of excluded namespaces leaves the parts of the cluster in scope': {
    values: { config: { targeting: { namespaces: { exclude: [{ exact: 'monitoring' }] } } } },
    says: 'WARNING: config.targeting.namespaces.exclude replaces the default and brings namespaces that begin with kube- into scope',
  },
  'that satellites have no pull secret where they run': {
    values: {
      imagePullSecrets: { existingSecret: 'pull' },
      config: { serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'web' }] } },
    },
    says: 'WARNING: satellites run in shop and pull their image without a pull secret',
  },
  'that the fence is down': {
    values: { admissionPolicy: { enabled: false } },
    says: 'WARNING: admissionPolicy.enabled is false',
  },
};

describe('after an install, helm says', () => {
  it.each(Object.entries(cases))('%s', async (_, { values, says }) => {
    expect(await notesOf(values)).toContain(says);
  });

  it('no warning when nothing is missing', async () => {
    expect(await notesOf({ config: complete })).not.toContain('WARNING');
  });

  it('no warning of a color alone', async () => {
    const values = { config: complete, branding: { accentColor: '#0b5394' } };
    expect(await notesOf(values)).not.toContain('WARNING');
  });

  it.each([{ pattern: 'kube-*' }, { exact: 'kube-system' }, { pattern: 'kube-?ystem' }, { pattern: '*' }])(
    'no warning of an own list with %o',
    async (entry) => {
      const exclude = [{ exact: 'monitoring' }, entry];
      expect(await notesOf({ config: { ...complete, targeting: { namespaces: { exclude } } } })).not.toContain(
        'WARNING',
      );
    },
  );
});
