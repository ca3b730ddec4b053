// What the service knows of a kind. Decisions, watches, writes and screens read the row; none of them asks for a kind by name.

/** The one value of an object that puts it to sleep. */
export type Sleep = ByScale | ByField | ByAnnotation;

/** A count, lowered to zero. What is recorded is the count. */
interface ByScale {
  readonly by: 'scale';
  /** JSON pointer to the count. An absent one means 1, as the apiserver has it. */
  readonly pointer: string;
}

/** A field set to a value. What is recorded is the value before, absent included. */
export interface ByField {
  readonly by: 'field';
  readonly pointer: string;
  readonly value: boolean | number | string;
  /** What the apiserver fills in for an absent field: the field is then always there, and this is how it stands awake. */
  readonly filledIn?: boolean | number | string;
  /** The object that is absent with the field, and what the apiserver makes of it around ours: it is given back absent. */
  readonly within?: { readonly pointer: string; readonly filled: object };
}

/** An annotation set to a value. What is recorded is the value before, absent included. */
export interface ByAnnotation {
  readonly by: 'annotation';
  readonly name: string;
  readonly value: string;
}

/** How the pods of a workload are known: they name it as their owner, or a ReplicaSet whose name ends with the hash that they carry. */
type PodsOf = { readonly through: 'itself' } | { readonly through: 'ReplicaSet'; readonly hashLabel: string };

/**
 * How it is known what an object applies: by the labels that it leaves there, by the list that the object itself keeps, or by the one
 * target that it scales, where its least count is none: only then does it raise what is at zero.
 */
type Applies = (
  | { readonly known: 'by labels'; readonly nameLabel: string; readonly namespaceLabel: string }
  | { readonly known: 'by its own list' }
  | { readonly known: 'by its target'; readonly target: string; readonly least: string }
) & {
  /** The field managers under which the cluster knows what it writes. */
  readonly managers: readonly string[];
};

export interface KindRow {
  /** Where it lives in the API. Every kind of the table is namespaced. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** The short name by which kubectl knows it, where Kubernetes or its definition has one. */
  readonly short?: string;
  readonly sleep: Sleep;
  /** `always`: of every cluster, and ours to scale. `named`: only where the configuration names it; the cluster may not have it. */
  readonly on: 'always' | 'named';
  /**
   * It applies other workloads again and again, and would raise what we lower: quieted before them, given back after they
   * are up, and left alone while it applies nothing that sleeps.
   */
  readonly applies?: Applies;
  /** JSON pointer to the reference by which it runs another workload in its own way: that one is left to it. */
  readonly drives?: string;
  /** JSON pointer to a number that must not be above what it sleeps by: its operator takes no such object. */
  readonly floor?: string;
  /**
   * Annotations, true unless they say false, by which its owner froze what it runs: given back, its operator would leave that at zero,
   * unless the owner gave a count of its own where ours goes.
   */
  readonly frozenBy?: readonly string[];
  /** Annotations that the apiserver itself writes along with ours. */
  readonly writtenAlong?: readonly string[];
  /** The condition of its own status that says that it is up. Absent: its pods say so, or a wake does not wait for it. */
  readonly ready?: { readonly condition: string };
  /** What it runs: pods, which say when it is up, or jobs, for which a wake does not wait. Absent: nothing of its own. */
  readonly runs?: { readonly pods: PodsOf } | 'jobs';
}
