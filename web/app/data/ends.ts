import { keyOf, type WorkloadName } from '../resources/workload-name.ts';

/** As much of an entry of the log as tells that. */
interface LoggedAct {
  readonly kind: string;
  readonly result?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const endKinds: ReadonlySet<string> = new Set(['wake', 'wake-failed', 'hibernation', 'hibernation-failed']);

/** What an entry is the end of: a transition of the cluster, or a wake of what was named; undefined for every other act. */
export function endOf({ kind, result, details }: LoggedAct): 'whole' | 'part' | undefined {
  if (!endKinds.has(kind)) return undefined;
  // A wake that was withdrawn before it began, or that goes on as another, has nothing to say of any workload.
  if (kind.startsWith('wake') && result === 'incomplete' && details === undefined) return undefined;
  return details?.['resources'] === undefined ? 'whole' : 'part';
}

/** Whether a wake of what was named was about this workload: `Deployment shop/cart`, `shop/cart`, `shop/*`. */
export function concerns({ details }: Pick<LoggedAct, 'details'>, workload: WorkloadName): boolean {
  const named = details?.['resources'];
  if (!Array.isArray(named)) return false;
  const { kind, namespace, name } = workload;
  const ways = [name, '*'].flatMap((last) => [`${namespace}/${last}`, `${kind} ${namespace}/${last}`]);
  return named.some((text) => ways.includes(String(text)));
}

/** What a list of sentences, each of which begins with a workload, is about. */
export function namedIn(
  lines: unknown,
  workloadOf: (line: string) => { readonly workload: WorkloadName } | undefined,
): ReadonlySet<string> {
  if (!Array.isArray(lines)) return new Set();
  return new Set(
    lines.flatMap((line) => {
      const found = workloadOf(String(line));
      return found === undefined ? [] : [keyOf(found.workload)];
    }),
  );
}
