// Who asked the apiserver for what, by its own /metrics. It counts no request by its user, but it does by the flow schema that the
// request fell under: a schema for each verb of each caller tells them apart, from each other and from the cluster's controllers.

/** `delete` has the deletions of whole collections in it; `other` is what is no resource, such as discovery. */
export const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'other'] as const;
export type Verb = (typeof verbs)[number];
export type Calls = Readonly<Record<Verb, number>>;

const writes: readonly Verb[] = ['create', 'update', 'patch', 'delete'];
const counter = 'apiserver_flowcontrol_dispatched_requests_total';

/** The name of the schema that the caller's requests of that verb fall under. */
export function schemaName(caller: string, verb: Verb): string {
  return `bench-${caller}-${verb}`;
}

/** A count that is not there is zero: an apiserver shows none before the first request. */
export function parseCalls(metrics: string, caller: string): Calls {
  const counts = new Map<string, number>();
  for (const [, labels = '', value] of metrics.matchAll(new RegExp(`^${counter}\\{(.*)\\} (\\S+)$`, 'gm'))) {
    const schema = /(?:^|,)flow_schema="([^"]*)"/.exec(labels)?.[1] ?? '';
    counts.set(schema, (counts.get(schema) ?? 0) + Number(value));
  }
  return ofEach((verb) => counts.get(schemaName(caller, verb)) ?? 0);
}

export function callsBetween(before: Calls, after: Calls): Calls {
  return ofEach((verb) => after[verb] - before[verb]);
}

export function writesIn(calls: Calls): number {
  return writes.reduce((sum, verb) => sum + calls[verb], 0);
}

export function ofEach(count: (verb: Verb) => number): Calls {
  return Object.fromEntries(verbs.map((verb) => [verb, count(verb)])) as Record<Verb, number>;
}

/** `2 list, 1000 patch`: what there is none of is left out. */
export function callsText(calls: Calls): string {
  const some = verbs.filter((verb) => calls[verb] > 0);
  return some.map((verb) => `${calls[verb]} ${verb}`).join(', ') || 'none';
}
