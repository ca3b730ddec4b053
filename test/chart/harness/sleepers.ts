import type { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';

const template = (name: string) => ({
  metadata: { labels: { app: name } },
  spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'example/main:1' }] },
});
const selector = (name: string) => ({ matchLabels: { app: name } });

/** How many replicas a workload has, or whether it is suspended, by its kind and name. */
export type Sizes = Readonly<Record<string, number | boolean>>;

/** Workloads of one namespace that are put to sleep and woken: Deployments, StatefulSets and CronJobs. */
export class Sleepers {
  readonly #client: KubeClient;
  readonly #namespace: string;

  constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  async create(deployments: number, statefulSets: number, cronJobs: number): Promise<Sizes> {
    const make = (count: number, one: (index: number) => Promise<unknown>) =>
      Promise.all(Array.from({ length: count }, (_, index) => one(index)));
    await make(deployments, (index) => this.#deployment(`web-${index}`, 1 + (index % 3)));
    await make(statefulSets, (index) => this.#statefulSet(`db-${index}`, 1 + (index % 2)));
    await make(cronJobs, (index) => this.#cronJob(`report-${index}`, index === 0));
    return this.sizes();
  }

  async sizes(): Promise<Sizes> {
    const where = { namespace: this.#namespace };
    const [deployments, statefulSets, cronJobs] = await Promise.all([
      this.#client.list(resources.deployments, where),
      this.#client.list(resources.statefulSets, where),
      this.#client.list(resources.cronJobs, where),
    ]);
    return Object.fromEntries([
      ...[...deployments.items, ...statefulSets.items].map(({ metadata, spec }) => [metadata?.name, spec?.replicas]),
      ...cronJobs.items.map(({ metadata, spec }) => [metadata?.name, spec?.suspend ?? false]),
    ]) as Sizes;
  }

  #deployment(name: string, replicas: number): Promise<unknown> {
    const object = { metadata: { name }, spec: { replicas, selector: selector(name), template: template(name) } };
    return this.#client.create(resources.deployments, this.#namespace, object);
  }

  #statefulSet(name: string, replicas: number): Promise<unknown> {
    const spec = { replicas, serviceName: name, selector: selector(name), template: template(name) };
    return this.#client.create(resources.statefulSets, this.#namespace, { metadata: { name }, spec });
  }

  #cronJob(name: string, suspend: boolean): Promise<unknown> {
    const pod = { ...template(name), spec: { ...template(name).spec, restartPolicy: 'Never' } };
    const spec = { suspend, schedule: '0 0 1 1 *', jobTemplate: { spec: { template: pod } } };
    return this.#client.create(resources.cronJobs, this.#namespace, { metadata: { name }, spec });
  }
}

/** What they are while they sleep. */
export function asleep(sizes: Sizes): Sizes {
  return Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, typeof size === 'number' ? 0 : true]));
}
