import type { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import type { Frame } from '../../../src/ports/sinks.ts';

/** One line of the controller's log. */
export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** A cluster with the controller installed: everything that a scenario needs, whatever cluster it plays on. */
export interface Stage {
  /** As the administrator. */
  readonly client: KubeClient;
  readonly releaseNamespace: string;
  /** Where the scenario's workloads live. */
  readonly namespace: string;
  /** Of every process of the controller so far, oldest first. */
  readonly logs: readonly LogLine[];
  readonly frames: readonly Frame[];
  now(): number;
  /** Changes these values of the configuration; the others stay. */
  configure(parts: Readonly<Record<string, unknown>>): Promise<void>;
  /** Starts the controller; after `kill` this is the one that the kubelet starts again. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Waits until `look` gives something else than undefined or false; fails with the sentence when it takes too long. */
  until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T>;
  /** Makes the cluster refuse every change of that workload with the message, until the answer is called. */
  refuseChanges(name: string, message: string): Promise<() => Promise<void>>;
  /** Lets that much time go by: for what must not happen. */
  pass(ms: number): Promise<void>;
}
