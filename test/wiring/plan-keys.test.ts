import { describeRows } from './harness/rows.ts';
import { planBase, planObjects, planRows } from './rows/plan.ts';

describeRows('plan-keys', planRows, { processes: ['api', 'controller'], base: planBase, objects: planObjects });
