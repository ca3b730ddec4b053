/** Kubernetes' own. Records, rights and the admission policy tell kinds apart by these names, whatever their group. */
export const kindsOfKubernetes = [
  'Binding ClusterRole ClusterRoleBinding ConfigMap ControllerRevision CustomResourceDefinition Endpoints EndpointSlice Event',
  'HorizontalPodAutoscaler Ingress IngressClass Job Lease LimitRange Namespace NetworkPolicy Node PersistentVolume',
  'PersistentVolumeClaim Pod PodDisruptionBudget PodTemplate ReplicaSet ReplicationController ResourceQuota Role RoleBinding',
  'Secret Service ServiceAccount StorageClass',
].flatMap((line) => line.split(' '));

const reserved: ReadonlySet<string> = new Set(kindsOfKubernetes.map((kind) => kind.toLowerCase()));

/** Whether it is the name of one, in any case. */
export function isOfKubernetes(kind: string): boolean {
  return reserved.has(kind.toLowerCase());
}
