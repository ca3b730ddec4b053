import type { RealCluster } from '../../cluster/harness/real-cluster.ts';
import { chartFolder, helm, smallestValues, type Values, valuesFile } from './helm.ts';

const restricted = {
  'pod-security.kubernetes.io/enforce': 'restricted',
  'pod-security.kubernetes.io/enforce-version': 'latest',
};

/** The chart, installed on a real cluster in a namespace that enforces restricted PodSecurity. */
export class Release {
  readonly namespace: string;
  readonly #cluster: RealCluster;
  #values: Values;

  private constructor(cluster: RealCluster, namespace: string, values: Values) {
    this.#cluster = cluster;
    this.namespace = namespace;
    this.#values = values;
  }

  /** Into a namespace of its own, unless there is one for it. */
  static async install(cluster: RealCluster, values: Values = {}, namespace?: string): Promise<Release> {
    const home = namespace ?? (await cluster.namespace('svc', restricted));
    const release = new Release(cluster, home, values);
    await release.helm(['install', 'svc', chartFolder, ...release.#files()]);
    return release;
  }

  async upgrade(...sets: readonly string[]): Promise<string> {
    return this.helm(['upgrade', 'svc', chartFolder, '--reuse-values', ...sets.flatMap((set) => ['--set', set])]);
  }

  async reinstall(values: Values = this.#values): Promise<void> {
    this.#values = values;
    await this.helm(['install', 'svc', chartFolder, ...this.#files()]);
  }

  async uninstall(...flags: readonly string[]): Promise<string> {
    return this.helm(['uninstall', 'svc', '--ignore-not-found', ...flags]);
  }

  async helm(args: readonly string[]): Promise<string> {
    const result = await helm([...args, '--namespace', this.namespace], this.#cluster.kubeconfig);
    if (result.status !== 0) throw new Error(`helm ${args[0]} failed: ${result.stderr}`);
    return result.stdout + result.stderr;
  }

  #files(): readonly string[] {
    return ['--values', valuesFile(smallestValues), '--values', valuesFile(this.#values)];
  }
}
