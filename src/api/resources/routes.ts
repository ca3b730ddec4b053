import { plainMessages } from '../../contract/errors.ts';
import type { ParamsOf } from '../../contract/operations.ts';
import { wakeRequested } from '../../domain/announcement/request.ts';
import { compareRecords } from '../../domain/record/record.ts';
import { verifyRecords } from '../../domain/record/verify.ts';
import { workloadKey } from '../../domain/workload.ts';
import { databaseStates } from '../../state/database-states.ts';
import { ignoredResources } from '../../state/ignored-resources.ts';
import { wakeOverride } from '../../state/intents/wake-override.ts';
import { wakeRetries, withRetry } from '../../state/intents/wake-retries.ts';
import { undecodableKeys } from '../../state/keys.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { stateSize } from '../../state/size.ts';
import { type StateSnapshot, set } from '../../state/snapshot.ts';
import { storing } from '../../state/storing.ts';
import { refuseWhileStopped } from '../acts/refuse-while-stopped.ts';
import { type Handlers, signedIn } from '../call/call.ts';
import type { ApiPorts } from '../call/ports.ts';
import { type Rate, RateLimit } from '../call/rate-limit.ts';
import { invalid, Refusal } from '../call/refusal.ts';
import type { Outlook, Outlooks } from '../outlook/outlook.ts';
import type { ListedWorkload } from '../outlook/workloads-snapshot.ts';
import { redirectsOf } from '../satellites/redirects.ts';
import type { Intents } from '../state/intents.ts';
import { degrade, type ManagedState, need, readOr503 } from '../state/managed-state.ts';
import { fleetOf } from './fleet.ts';
import { leftAlone } from './left-alone.ts';
import { page, resourcePage, resourceStats } from './listing.ts';
import { previewOf } from './preview.ts';
import { decideRetry } from './retry.ts';
import { whyOf } from './why.ts';
import { workloadOf } from './workload.ts';

type ResourceHandlers = Pick<
  Handlers,
  | 'resources'
  | 'namespaceResources'
  | 'ignoredResources'
  | 'resourceStats'
  | 'why'
  | 'workload'
  | 'retryWorkload'
  | 'fleet'
  | 'preview'
  | 'stateReport'
>;

/** Each look at a workload costs the apiserver a handful of reads. */
const looksOfOne: Rate = { count: 60, perMs: 60_000 };

export function resourceHandlers(
  ports: ApiPorts,
  state: ManagedState,
  outlooks: Outlooks,
  intents: Intents,
): ResourceHandlers {
  const looks = new RateLimit(ports.clock, looksOfOne);
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
      return resourcePage(outlooks.workloads(await read()), call.query);
    },
    async namespaceResources(call) {
      const { namespace } = call.params;
      return resourcePage(outlooks.workloads(await read()), { ...call.query, namespace });
    },
    async ignoredResources(call) {
      const snapshot = await read();
      const stored = need(snapshot, ignoredResources);
      const ignored = leftAlone(stored, outlooks.workloads(snapshot)).toSorted(compareRecords);
      const sortKey = (item: (typeof ignored)[number], sort: string) =>
        sort === 'kind' || sort === 'name' ? item[sort] : item.namespace;
      const found = page(ignored, call.query, (item) => item, sortKey);
      return { ...found, items: [...found.items] };
    },
    async resourceStats() {
      const snapshot = await read();
      const stored = degrade(snapshot, ignoredResources, ports.logger, 'debug');
      const known = snapshot.read(ignoredResources).ok;
      const workloads = outlooks.workloads(snapshot);
      return resourceStats(workloads, known ? leftAlone(stored, workloads).length : null);
    },
    async why(call) {
      const outlook = outlooks.of(await read());
      return whyOf(itemOf(outlook, call.params), outlook);
    },
    async workload(call) {
      const outlook = outlooks.of(await read());
      const item = itemOf(outlook, call.params);
      const waitMs = looks.take(signedIn(call).shown);
      if (waitMs > 0) {
        throw new Refusal('rate_limited', plainMessages.rate_limited, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
      }
      return workloadOf(item, outlook, ports);
    },
    async retryWorkload(call) {
      const { shown: by } = signedIn(call);
      await read();
      const id = `wake-requested-${Buffer.from(ports.random.bytes(9)).toString('base64url')}`;
      return intents.write((snapshot) => {
        refuseWhileStopped(snapshot, outlooks);
        const outlook = outlooks.of(snapshot);
        const item = itemOf(outlook, call.params);
        const { possible, text } = decideRetry(item, outlook);
        if (!possible) throw new Refusal('nothing_to_wake', text);
        const { kind, namespace, name } = item.workload;
        const at = ports.clock.now();
        const told = storing(snapshot, [wakeRequested({ id, at, by, resources: [workloadKey(item.workload)] })]);
        const retries = withRetry(need(snapshot, wakeRetries), { kind, namespace, name, by, at });
        return { edits: [set(wakeRetries, retries), ...told], answer: { message: text }, room: 'reserve' };
      });
    },
    async fleet() {
      return fleetOf(outlooks.of(await read()), ports.usualArchitecture);
    },
    async preview(call) {
      const snapshot = await read();
      const outlook = outlooks.of(snapshot);
      const [facts, redirects] = await Promise.all([ports.admission.read(), redirectsOf(ports, snapshot, outlook)]);
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

function itemOf({ workloads, compiled }: Outlook, { kind: text, namespace, name }: ParamsOf<'why'>): ListedWorkload {
  const kind = compiled.kinds.called(text);
  if (kind === undefined) throw invalid('kind', `must be ${compiled.kinds.listed}`);
  const item = workloads.items.find(
    ({ workload }) => workload.kind === kind && workload.namespace === namespace && workload.name === name,
  );
  if (item === undefined) throw new Refusal('not_found', `There is no ${kind} ${namespace}/${name}.`);
  return item;
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
