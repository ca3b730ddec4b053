import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import type { CommandResult } from '../../tools/provision/run-command.ts';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import { chartFolder, helm, parseObjects, renderText, smallestValues, valuesFile } from './harness/helm.ts';

let cluster: RealCluster;
let installedIn: string | undefined;
beforeAll(async () => {
  cluster = await realCluster();
});
afterEach(async () => {
  if (installedIn !== undefined) {
    await helm(['uninstall', 'svc', '--no-hooks', '--namespace', installedIn], cluster.kubeconfig);
  }
  for (const name of ['svc-made', 'svc-other']) {
    await cluster.admin.client.delete(resources.namespaces, { name }).catch(() => {});
  }
  installedIn = undefined;
});
afterAll(() => cluster?.close());

async function install(namespace: string, ...flags: readonly string[]): Promise<CommandResult> {
  const args = [
    'install',
    'svc',
    chartFolder,
    '--values',
    valuesFile(smallestValues),
    '--set',
    'namespace.create=true',
  ];
  const result = await helm([...args, '--namespace', namespace, ...flags], cluster.kubeconfig);
  if (result.status === 0) installedIn = namespace;
  return result;
}

async function labelsOf(name: string) {
  return (await cluster.admin.client.get(resources.namespaces, { name })).metadata?.labels;
}

describe('namespace.create', () => {
  it('works with --create-namespace, and says how to label what helm made', async () => {
    const result = await install('svc-made', '--create-namespace');
    expect([result.stderr, result.status]).toEqual(['', 0]);
    // Helm 3 creates it before it applies ours and then finds it there; so ours is not in the release.
    const manifest = await helm(['get', 'manifest', 'svc', '--namespace', 'svc-made'], cluster.kubeconfig);
    expect(parseObjects(manifest.stdout).filter(({ kind }) => kind === 'Namespace')).toEqual([]);
    expect(result.stdout).toContain('kubectl label namespace svc-made pod-security.kubernetes.io/enforce=restricted');
  });

  it('is rendered where there is no cluster to look at', async () => {
    const objects = parseObjects(await renderText({ namespace: { create: true } }));
    expect(objects.filter(({ kind }) => kind === 'Namespace')).toHaveLength(1);
  });

  it('works from another release namespace, with the label', async () => {
    const result = await install('default', '--set', 'namespace.name=svc-other');
    expect([result.stderr, result.status]).toEqual(['', 0]);
    expect(await labelsOf('svc-other')).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    const again = await helm(
      ['upgrade', 'svc', chartFolder, '--reuse-values', '--namespace', 'default'],
      cluster.kubeconfig,
    );
    expect([again.stderr, again.status]).toEqual(['', 0]);
    expect(await labelsOf('svc-other')).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  });
});
