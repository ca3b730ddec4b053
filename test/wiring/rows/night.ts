import { expect } from 'vitest';
import { annotations } from '../../../src/domain/names.ts';
import type { LogLine } from '../../cluster/release/controller-life.ts';
import { deployment } from '../harness/manifests.ts';
import type { Looking, Row } from '../harness/rows.ts';
import { until } from '../harness/until.ts';
import { admin } from './sign-in.ts';

export const sleeper = deployment('shop/cart');

/** Regions that between them have a holiday in any two months, which is as far as the plan can be asked for. */
const regionsOf = { start: ['CO', 'US'], reload: ['DE', 'JP'] } as const;

const isDryRun = ({ msg }: LogLine) => msg === 'Dry run: nothing is changed';

function asleep({ service }: Looking): boolean {
  const found = service.cluster.store.get('deployments.apps', 'shop', 'cart');
  return annotations.hibernatedReplicas in ((found?.metadata['annotations'] as object | undefined) ?? {});
}

export const nightRows: readonly Row[] = [
  {
    keys: ['operations.dryRun'],
    seen: 'whether a workload sleeps outside working hours, or only the log says that it would',
    start: { operations: { dryRun: true } },
    reload: { operations: { dryRun: false } },
    async look(looking) {
      if (looking.moment === 'start') {
        const { hibernate } = await looking.service.says('controller', isDryRun);
        expect(hibernate).toEqual([{ tier: expect.any(String), workloads: ['Deployment shop/cart'] }]);
        expect(asleep(looking)).toBe(false);
      } else {
        await until('the workload sleeps', () => asleep(looking));
      }
    },
  },
  {
    keys: ['holidays.regions', 'holidays.act'],
    seen: 'the holidays in the plan of the coming two months, and whether the cluster stays asleep on them',
    start: { holidays: { regions: regionsOf.start, act: true } },
    reload: { holidays: { regions: regionsOf.reload, act: false } },
    async look({ service, moment }) {
      const { plan } = await (await service.as(admin)).schedule({ query: { days: 62 } });
      const days = plan.days.filter(({ holidays }) => holidays.length > 0);
      expect(days.length).toBeGreaterThan(0);
      const regions = new Set(days.flatMap(({ holidays }) => holidays.map(({ region }) => region)));
      expect([...regions].filter((region) => !(regionsOf[moment] as readonly string[]).includes(region))).toEqual([]);
      for (const { date, source, hours } of days) {
        const expected = moment === 'start' ? ['holiday', 'off'] : ['schedule', '00:00-00:01'];
        expect([date, source, hours]).toEqual([date, ...expected]);
      }
    },
  },
];
