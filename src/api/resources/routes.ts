import { compareRecords } from '../../domain/record/record.ts';
import { verifyRecords } from '../../domain/record/verify.ts';
import { workloadKindOf } from '../../domain/targeting/workload-selector.ts';
import { databaseStates } from '../../state/database-states.ts';
import { ignoredResources } from '../../state/ignored-resources.ts';
import { undecodableKeys } from '../../state/keys.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { stateSize } from '../../state/size.ts';
import type { StateSnapshot } from '../../state/snapshot.ts';
import { wakeOverride } from '../../state/wake-override.ts';
import { redirectsOf } from '../companions/redirects.ts';
import type { ApiPorts } from '../ports.ts';
import { invalid, Refusal } from '../refusal.ts';
import type { Handlers } from '../server/call.ts';
import { degrade, type ManagedState, need, readOr503 } from '../state/managed-state.ts';
import type { Outlooks } from '../status/outlook.ts';
import { page, resourcePage, resourceStats } from './listing.ts';
import { previewOf } from './preview.ts';
import { whyOf } from './why.ts';

type ResourceHandlers = Pick<
  Handlers,
  'resources' | 'namespaceResources' | 'ignoredResources' | 'resourceStats' | 'why' | 'preview' | 'stateReport'
>;

export function resourceHandlers(ports: ApiPorts, state: ManagedState, outlooks: Outlooks): ResourceHandlers {
  /** A failed read is 500 here; 503 is for a value that cannot be decoded. */
  const read = async (): Promise<StateSnapshot> => {
    const { snapshot } = await state.read().catch((error: unknown) => {
      throw new Refusal('read_failed', `The resources could not be read: ${errorText(error)}`);
    });
    need(snapshot, resourceStates);
    need(snapshot, wakeOverride);
    if (!ports.view.synced()) {
      throw new Refusal('read_failed', 'The resources could not be read: the cluster has not been listed yet.');
    }
    return snapshot;
  };
  return {
    async resources(call) {
      return resourcePage(outlooks.scene(await read()), call.query);
    },
    async namespaceResources(call) {
      const { namespace } = call.params;
      return resourcePage(outlooks.scene(await read()), { ...call.query, namespace });
    },
    async ignoredResources(call) {
      const ignored = need(await read(), ignoredResources).toSorted(compareRecords);
      const sortKey = (item: (typeof ignored)[number], sort: string) =>
        sort === 'kind' || sort === 'name' ? item[sort] : item.namespace;
      const found = page(ignored, call.query, (item) => item, sortKey);
      return { ...found, items: [...found.items] };
    },
    async resourceStats() {
      const snapshot = await read();
      const excluded = degrade(snapshot, ignoredResources, ports.logger, 'debug');
      const known = snapshot.read(ignoredResources).ok;
      return resourceStats(outlooks.scene(snapshot), known ? excluded.length : null);
    },
    async why(call) {
      const { namespace, name } = call.params;
      const kind = workloadKindOf(call.params.kind);
      if (kind === undefined) throw invalid('kind', 'must be Deployment, StatefulSet or CronJob');
      const outlook = outlooks.of(await read());
      const item = outlook.scene.items.find(
        ({ workload }) => workload.kind === kind && workload.namespace === namespace && workload.name === name,
      );
      if (item === undefined) throw new Refusal('not_found', `There is no ${kind} ${namespace}/${name}.`);
      return whyOf(item, outlook);
    },
    async preview(call) {
      const snapshot = await read();
      const outlook = outlooks.of(snapshot);
      const [facts, redirects] = await Promise.all([ports.admission.read(), redirectsOf(ports, outlook.scene)]);
      const stopped = degrade(snapshot, databaseStates, ports.logger, 'warn');
      return previewOf(outlook, { ...facts, redirects, stopped }, call.query.limit);
    },
    async stateReport() {
      const { snapshot } = await readOr503(state);
      const { bytes, level } = stateSize(snapshot.data);
      const undecodable = [...undecodableKeys(snapshot)];
      const records = snapshot.read(resourceStates);
      const differences = records.ok && ports.view.synced() ? verifyRecords(records.value, ports.view.workloads()) : [];
      return { bytes, level, undecodable, differences: [...differences] };
    },
  };
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
