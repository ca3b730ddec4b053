import { annotations } from '../../../src/domain/names.ts';
import { satelliteRef } from '../../../src/domain/redirect/marks.ts';
import { deployment, service as serviceManifest } from '../harness/manifests.ts';
import type { Looking, Row } from '../harness/rows.ts';
import { admin } from './sign-in.ts';

/** One workload with its Service. */
export const nightObjects = [deployment('shop/cart'), serviceManifest('shop/cart', 'cart')];

/** Regions that between them have a holiday in any two months, which is as far as the plan can be asked for. */
const regionsOf = { start: ['CO', 'US'], reload: ['DE', 'JP'] } as const;

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

function isAsleep({ service }: Looking): boolean {
  const found = service.cluster.store.get('deployments.apps', 'shop', 'cart');
  return annotations.hibernatedReplicas in ((found?.metadata['annotations'] as object | undefined) ?? {});
}

/** Whether the Service points at a satellite, and whether there is one. */
function redirect({ service: { cluster } }: Looking): readonly [away: boolean, satellite: boolean] {
  const cart = cluster.store.get('services', 'shop', 'cart');
  const { namespace, name } = satelliteRef({ namespace: 'shop', name: 'cart' });
  const away = cart?.metadata.labels?.['svc.io/redirected'] === 'true';
  return [away, cluster.store.get('deployments.apps', namespace, name) !== undefined];
}

/** What the controller said last that it would do, while it does nothing. */
function lastPlan({ service }: Looking) {
  return service.linesInForce('controller').findLast(({ msg }) => msg === 'Dry run: nothing is changed');
}

/** Asleep, or to be so if this were no dry run. */
function wanted(looking: Looking): string | undefined {
  const plan = lastPlan(looking);
  if (plan !== undefined) return String(plan['wanted']);
  return isAsleep(looking) ? 'hibernated' : 'awake';
}

export const nightRows: readonly Row[] = [
  {
    keys: { 'operations.dryRun': { start: 'asleep', reload: 'a plan in the log' } },
    in: 'controller',
    seen: 'whether a workload sleeps outside working hours, or the log says what would be done',
    start: { operations: { dryRun: false } },
    reload: { operations: { dryRun: true } },
    withinMs: 20_000,
    async see(looking) {
      const planned = lastPlan(looking) === undefined ? undefined : 'a plan in the log';
      return { 'operations.dryRun': planned ?? (isAsleep(looking) ? 'asleep' : 'up') };
    },
  },
  {
    keys: { 'operations.dryRun': { start: false, reload: true } },
    in: 'api',
    seen: 'whether the status says that nothing is changed',
    start: {},
    reload: {},
    see: async ({ service }) => ({
      'operations.dryRun': (await (await service.as(admin)).hibernationStatus()).dryRun,
    }),
  },
  {
    keys: {
      'holidays.regions': regionsOf,
      'holidays.act': { start: ['holiday', 'off'], reload: ['schedule', '00:00-00:01'] },
    },
    in: 'api',
    seen: 'the holidays in the plan of the coming two months, and whether the cluster stays asleep on them',
    start: { holidays: { regions: regionsOf.start, act: true } },
    reload: { holidays: { regions: regionsOf.reload, act: false } },
    async see({ service, moment }) {
      const { plan } = await (await service.as(admin)).schedule({ query: { days: 62 } });
      const days = plan.days.filter(({ holidays }) => holidays.length > 0);
      const regions = new Set(days.flatMap(({ holidays }) => holidays.map(({ region }) => region)));
      const known: readonly string[] = regionsOf[moment];
      const kinds = new Set(days.map(({ source, hours }) => JSON.stringify([source, hours])));
      return {
        // Not each of them has a holiday in any two months.
        'holidays.regions': [...regions].some((region) => !known.includes(region)) ? [...regions] : known,
        'holidays.act': kinds.size === 1 ? JSON.parse([...kinds][0]!) : [...kinds],
      };
    },
  },
  {
    keys: Object.fromEntries(
      weekdays.map((day) => [`workingHours.schedule.${day}`, { start: 'hibernated', reload: 'awake' }]),
    ),
    in: 'controller',
    seen: 'that the controller wants the cluster awake when the hours of all days are changed, and asleep when they are changed back',
    start: {},
    reload: { alone: { workingHours: { schedule: Object.fromEntries(weekdays.map((day) => [day, 'on'])) } } },
    withinMs: 20_000,
    see: async (looking) =>
      Object.fromEntries(weekdays.map((day) => [`workingHours.schedule.${day}`, wanted(looking)])),
  },
  {
    keys: { 'serviceRedirection.enabled': { start: 'pointed away', reload: 'left as it is' } },
    in: 'controller',
    seen: 'whether the Service of a sleeping workload points at a satellite',
    start: { serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'cart' }] } },
    reload: { alone: { serviceRedirection: { enabled: false } } },
    withinMs: 20_000,
    async see(looking) {
      const planned = lastPlan(looking)?.['redirect'] as readonly string[] | undefined;
      const [away, satellite] = planned === undefined ? redirect(looking) : [planned.length > 0, planned.length > 0];
      const words = away ? 'pointed away' : 'left as it is';
      return { 'serviceRedirection.enabled': away === satellite ? words : 'on the way' };
    },
  },
];
