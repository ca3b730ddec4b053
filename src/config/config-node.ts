import { record, type Value } from './node.ts';
import { coreFields } from './sections/core.ts';
import { externalWakeFields } from './sections/external-wake.ts';
import { costFields, readinessFields } from './sections/insight.ts';
import { notificationFields } from './sections/notifications.ts';
import { signInFields } from './sections/sign-in.ts';
import { tuningFields } from './sections/tuning.ts';
import { workloadFields } from './sections/workloads.ts';

/** Everything under `config` in the chart's values, and the whole of `config.yaml` in the ConfigMap. */
export const configNode = record(
  {
    ...coreFields,
    ...workloadFields,
    ...tuningFields,
    ...signInFields,
    ...notificationFields,
    ...externalWakeFields,
    ...readinessFields,
    ...costFields,
  },
  { description: 'Configuration of the service.' },
);

/** A validated configuration: complete, with defaults filled in, and frozen to its leaves. */
export type Config = Value<typeof configNode>;

export interface ConfigGroup {
  readonly title: string;
  readonly keys: readonly (keyof Config)[];
}

const keysOf = <T extends object>(fields: T) => Object.keys(fields) as (keyof T & keyof Config)[];

/** In which order and under which headings people meet the keys. */
export const configGroups: readonly ConfigGroup[] = [
  { title: 'Core', keys: [...keysOf(coreFields), ...keysOf(workloadFields)] },
  { title: 'Controller and API tuning', keys: keysOf(tuningFields) },
  { title: 'Authentication and mail', keys: keysOf(signInFields) },
  { title: 'Notifications', keys: keysOf(notificationFields) },
  { title: 'External wake', keys: keysOf(externalWakeFields) },
  { title: 'URL readiness check', keys: keysOf(readinessFields) },
  { title: 'Costs and insights', keys: keysOf(costFields) },
];
