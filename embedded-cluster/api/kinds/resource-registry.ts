import type { KubeObject } from '../../object-store.ts';
import { arrayOf, objectOf, textOf, valueAt } from '../../store/json-value.ts';
import type { MemoryStore } from '../../store/memory-store.ts';
import { BUILTIN_RESOURCES } from './builtin-resources.ts';
import { ALL_VERBS, apiVersionOf, type ResourceType, type ScalePaths } from './resource-type.ts';

const CRDS = 'customresourcedefinitions.apiextensions.k8s.io';

/** Which resources are served now: the built-in ones and those of the custom resource definitions in the store. */
export class ResourceRegistry {
  readonly #builtin = new Map(BUILTIN_RESOURCES.map((type) => [keyOf(type.group, type.version, type.plural), type]));
  readonly #custom = new Map<string, readonly ResourceType[]>();
  readonly #byKey = new Map<string, ResourceType>(this.#builtin);

  constructor(store: MemoryStore) {
    for (const definition of store.list(CRDS)) this.#serve(definition);
    store.onChange(CRDS, (event) => {
      this.#withdraw(event.object.metadata.name);
      if (event.type !== 'DELETED') this.#serve(event.object);
    });
  }

  find(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#byKey.get(keyOf(group, version, plural));
  }

  /** Every served resource: built-in groups first, then custom ones. */
  all(): readonly ResourceType[] {
    return [...this.#byKey.values()];
  }

  #serve(definition: KubeObject): void {
    const types = customResources(definition);
    this.#custom.set(definition.metadata.name, types);
    for (const type of types) this.#byKey.set(keyOf(type.group, type.version, type.plural), type);
  }

  #withdraw(name: string): void {
    for (const type of this.#custom.get(name) ?? []) this.#byKey.delete(keyOf(type.group, type.version, type.plural));
    this.#custom.delete(name);
  }
}

function keyOf(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}

/** The resources that a definition declares: one a served version. */
function customResources(definition: KubeObject): readonly ResourceType[] {
  const spec = objectOf(definition['spec']);
  const names = objectOf(spec['names']);
  const group = textOf(spec['group']) ?? '';
  const plural = textOf(names['plural']) ?? '';
  const kind = textOf(names['kind']) ?? '';
  const versions = arrayOf(spec['versions']).map(objectOf);
  const stored = versions.find((version) => version['storage'] === true) ?? versions[0];
  const served = versions.filter((version) => version['served'] !== false);
  return served.map((version) => {
    const subresources = objectOf(version['subresources']);
    const scale = scalePaths(subresources['scale']);
    return {
      group,
      version: textOf(version['name']) ?? '',
      plural,
      singular: textOf(names['singular']) ?? kind.toLowerCase(),
      kind,
      namespaced: spec['scope'] === 'Namespaced',
      shortNames: arrayOf(names['shortNames']).filter((name) => typeof name === 'string'),
      categories: arrayOf(names['categories']).filter((name) => typeof name === 'string'),
      subresources: ['status', 'scale'].filter((name) => subresources[name] !== undefined),
      verbs: ALL_VERBS,
      storage: `${plural}.${group}`,
      storedApiVersion: apiVersionOf(group, textOf(valueAt(stored, 'name')) ?? ''),
      custom: true,
      ...(scale === undefined ? {} : { scale }),
    };
  });
}

function scalePaths(declared: unknown): ScalePaths | undefined {
  if (declared === undefined) return undefined;
  const labelSelector = pathOf(valueAt(declared, 'labelSelectorPath'));
  return {
    specReplicas: pathOf(valueAt(declared, 'specReplicasPath')) ?? ['spec', 'replicas'],
    statusReplicas: pathOf(valueAt(declared, 'statusReplicasPath')) ?? ['status', 'replicas'],
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
}

/** `.spec.replicas` as its steps. */
function pathOf(jsonPath: unknown): readonly string[] | undefined {
  return typeof jsonPath === 'string' ? jsonPath.split('.').filter((step) => step !== '') : undefined;
}
