import type { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import type { KubeObject, ResourceType } from '../../../src/adapters/kubernetes/client/resource-type.ts';

interface StorageClass extends KubeObject {
  readonly provisioner: string;
}

const storageClasses: ResourceType<StorageClass> = {
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'storageclasses',
  kind: 'StorageClass',
  namespaced: false,
};

/** Claims that name no class get a folder of this machine from the controller-manager; a cluster's own classes are left alone. */
export async function ensureDefaultStorageClass(client: KubeClient): Promise<void> {
  if ((await client.list(storageClasses)).items.length > 0) return;
  await client.create(storageClasses, undefined, {
    metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'kubernetes.io/host-path',
  });
}
