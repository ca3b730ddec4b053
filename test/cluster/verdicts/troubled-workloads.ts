import { nowhere } from '../../../embedded-cluster/kubelet/behaviour.ts';
import type { WorkloadParts } from '../scenarios/workload-manifests.ts';

/** A workload, and what the wake says of it; undefined when it came up and nothing is said. */
export interface Troubled {
  readonly does: string;
  readonly workload: WorkloadParts;
  readonly failed?: string;
  readonly recovered?: string;
}

const probe = (failureThreshold: number) => ({
  startupProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 1, failureThreshold },
});

export const troubled: readonly Troubled[] = [
  {
    does: 'no node can take it',
    workload: { name: 'unschedulable', pod: { nodeSelector: nowhere } },
    failed: 'was still Unschedulable after 8 seconds',
  },
  {
    does: 'its scheduler does not exist',
    workload: { name: 'pending', pod: { schedulerName: 'nobody' } },
    failed: 'was still Pending with no node after 8 seconds',
  },
  {
    does: 'its init container runs on',
    workload: {
      name: 'init',
      behaviour: { 'init-seconds': '600' },
      pod: { initContainers: [{ name: 'migrate', image: 'registry.example.com/migrate:1' }] },
    },
    failed: ': its init containers had not finished after 8 seconds',
  },
  {
    does: 'its image comes slowly',
    workload: { name: 'slow-pull', behaviour: { 'pull-seconds': '600' } },
    failed: 'was still pulling its image after 8 seconds',
  },
  {
    does: 'its image cannot be pulled',
    workload: { name: 'pull-fails', behaviour: { pull: 'fail' } },
    failed: 'could not pull its image in 8 seconds',
  },
  {
    does: 'the kubelet refuses its container',
    workload: { name: 'refused', behaviour: { create: 'CreateContainerConfigError' } },
    failed: 'could not create its container (CreateContainerConfigError)',
  },
  {
    does: 'the Secret that its container misses is created during the wake',
    workload: {
      name: 'late-secret',
      behaviour: { create: 'CreateContainerConfigError', 'create-recovers-after': '4' },
    },
  },
  {
    does: 'its image reference is not valid',
    workload: { name: 'bad-reference', behaviour: { image: 'invalid' } },
    failed: ': its image reference is not a valid reference',
  },
  {
    does: 'its pull policy is Never and the image is not there',
    workload: { name: 'never-pull', behaviour: { image: 'never' } },
    failed: ': its image is not on the node and its pull policy forbids fetching it',
  },
  {
    does: 'it uses up the start-up budget that it declares',
    workload: { name: 'over-budget', behaviour: { 'startup-probe-seconds': '600' }, container: probe(5) },
    failed: 'did not finish starting within its declared 5 seconds',
  },
  {
    does: 'it declares no budget and is never ready',
    workload: { kind: 'StatefulSet', name: 'never-ready', behaviour: { 'never-ready': 'true' } },
    failed: 'did not finish starting within the default 6 seconds',
  },
  {
    does: 'it declares more than the cap',
    workload: { name: 'over-cap', behaviour: { 'startup-probe-seconds': '600' }, container: probe(120) },
    failed: 'did not finish starting within the 30-second cap',
  },
  {
    does: 'it crashes again and again',
    workload: { name: 'crash-loop', behaviour: { 'crash-after-seconds': '1' }, container: probe(18) },
    failed: 'restarted twice before it was ready',
  },
  {
    does: 'it crashes twice and stays up within the grace',
    workload: {
      name: 'crash-then-up',
      behaviour: { 'crash-after-seconds': '1', 'crash-times': '2', 'start-seconds': '2' },
      container: probe(18),
    },
    recovered: 'restarted twice before it was ready, came up less than 1 minute after the restart',
  },
  {
    does: 'its image arrives after the service stopped waiting',
    workload: { name: 'late-pull', behaviour: { 'pull-seconds': '16' } },
    recovered:
      'was still pulling its image after 8 seconds, came up less than 1 minute after the service stopped waiting',
  },
  { does: 'nothing is wrong with it', workload: { name: 'fine', replicas: 2 } },
];
