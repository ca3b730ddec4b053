import type { Random } from '../../src/ports/random.ts';

/** What owners want of each Deployment, by namespace and name. */
export type Wishes = ReadonlyMap<string, number>;

export type Deed =
  | { readonly deed: 'create' | 'scale'; readonly key: string; readonly count: number }
  | { readonly deed: 'delete'; readonly key: string };

const namespaces = 10;
const mostReplicas = 3;
/** Of all of them, each time that owners come. */
const shares = { create: 0.01, delete: 0.01, scale: 0.02 } as const;

function keyOf(index: number): string {
  return `team-${index % namespaces}/app-${index}`;
}

export const teams: readonly string[] = Array.from({ length: namespaces }, (_, index) => `team-${index}`);

export function firstWishes(workloads: number): Wishes {
  return new Map(Array.from({ length: workloads }, (_, index) => [keyOf(index), 1 + (index % mostReplicas)]));
}

/** What owners do when they come: no Deployment twice, and a scaled one gets another count than it had. `made` have been made so far. */
export function deeds(wishes: Wishes, made: number, random: Random): readonly Deed[] {
  const left = [...wishes];
  const some = (share: number) => Math.max(1, Math.round(wishes.size * share));
  const taken = (many: number) =>
    Array.from(
      { length: Math.min(many, left.length) },
      () => left.splice(Math.floor(random.next() * left.length), 1)[0]!,
    );
  return [
    ...taken(some(shares.scale)).map(([key, count]) => ({ deed: 'scale' as const, key, count: other(count, random) })),
    ...taken(some(shares.delete)).map(([key]) => ({ deed: 'delete' as const, key })),
    ...Array.from({ length: some(shares.create) }, (_, index) => ({
      deed: 'create' as const,
      key: keyOf(made + index),
      count: 1 + Math.floor(random.next() * mostReplicas),
    })),
  ];
}

export function after(wishes: Wishes, done: readonly Deed[]): Wishes {
  const next = new Map(wishes);
  for (const one of done) {
    if (one.deed === 'delete') next.delete(one.key);
    else next.set(one.key, one.count);
  }
  return next;
}

/** Those that have another count than their owners want, that are gone, or that are there though they were deleted. */
export function wrong(wishes: Wishes, now: Wishes): readonly string[] {
  const keys = new Set([...wishes.keys(), ...now.keys()]);
  return [...keys].filter((key) => wishes.get(key) !== now.get(key));
}

function other(count: number, random: Random): number {
  return 1 + ((count - 1 + 1 + Math.floor(random.next() * (mostReplicas - 1))) % mostReplicas);
}
