/** The keys of ConfigMap `svc-state` whose spoilt value hides the status, with what clearing each of them costs. */
const empties: Readonly<Record<string, { readonly empty: string; readonly costs: string }>> = {
  resource_states: {
    empty: '[]',
    costs: 'the recorded replica counts are lost, so that a hibernated cluster has to be scaled up by hand',
  },
  wake_override: { empty: '', costs: 'a manual wake session ends' },
  ignored_resources: { empty: '[]', costs: 'the list of ignored resources starts anew' },
  external_wake_sessions: { empty: '[]', costs: 'every inbound external wake session ends' },
  database_states: { empty: '{}', costs: 'what is known of stopped databases is lost' },
};

export interface Repair {
  readonly key: string;
  readonly edit: string;
  readonly clear: string;
  readonly costs: string;
}

export function repairOf(key: string, namespace: string): Repair {
  const { empty, costs } = empties[key] ?? { empty: '', costs: 'what the key held is lost' };
  const patch = JSON.stringify({ data: { [key]: empty } });
  return {
    key,
    edit: `kubectl edit configmap svc-state -n ${namespace}`,
    clear: `kubectl patch configmap svc-state -n ${namespace} --type merge -p '${patch}'`,
    costs,
  };
}

/** As the API names it to who is signed in; visitors are shown where to put it. */
export function namedNamespace({ namespace }: Readonly<Record<string, unknown>>): string {
  return typeof namespace === 'string' ? namespace : '<release namespace>';
}

/** The key that the API names, if a value is at fault; none when the state could not be read at all. */
export function namedKey(details: Readonly<Record<string, unknown>>, message: string): string | undefined {
  const { key } = details;
  if (typeof key === 'string') return key;
  return Object.keys(empties).find((name) => message.includes(name));
}
