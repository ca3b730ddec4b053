import { AsyncLocalStorage } from 'node:async_hooks';

/** For whose sake something is done, those first who come first. What the service does by itself is as urgent as what an admin wants. */
export const urgencies = ['first', 'person', 'stranger'] as const;
export type Urgency = (typeof urgencies)[number];

const current = new AsyncLocalStorage<Urgency>();

/** All that `run` begins, and waits for, is this urgent. */
export function asUrgentAs<T>(urgency: Urgency, run: () => T): T {
  return current.run(urgency, run);
}

export function urgencyNow(): Urgency {
  return current.getStore() ?? 'first';
}
