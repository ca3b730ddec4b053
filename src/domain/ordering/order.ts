import {
  assignTiers,
  type LabelledRef,
  type OrderingConfig,
  type Tier,
  withAppliersApart,
  withWebhooksFirst,
} from './ordering.ts';

/** In which order everything goes to sleep; who acts and who only tells of it ask this. */
export function sleepOrder<Member extends LabelledRef>(
  ordering: OrderingConfig,
  members: readonly Member[],
  databases?: readonly string[],
): readonly Tier<Member>[] {
  return withAppliersApart(assignTiers(ordering, members, 'hibernate', databases), 'hibernate');
}

/** In which order everything comes up, with what answers fail-closed webhooks (`first`, by key) ahead of the rest. */
export function wakeOrder<Member extends LabelledRef>(
  ordering: OrderingConfig,
  members: readonly Member[],
  { first = [], databases }: { readonly first?: readonly string[]; readonly databases?: readonly string[] },
): readonly Tier<Member>[] {
  const configured = assignTiers(ordering, members, 'wake', databases);
  return withAppliersApart(withWebhooksFirst(configured, new Set(first)), 'wake');
}
