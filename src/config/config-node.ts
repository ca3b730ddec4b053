import { record, type Value } from './formats/value-types.ts';
import { api } from './sections/api.ts';
import { auth } from './sections/auth.ts';
import { awsCosts } from './sections/aws-costs.ts';
import { controller } from './sections/controller.ts';
import { dashboardApi } from './sections/dashboard-api.ts';
import { databases } from './sections/databases.ts';
import { externalDependencies } from './sections/external-dependencies.ts';
import { externalWake } from './sections/external-wake.ts';
import { global } from './sections/global.ts';
import { holidays } from './sections/holidays.ts';
import { insights } from './sections/insights.ts';
import { notifications } from './sections/notifications.ts';
import { operations } from './sections/operations.ts';
import { hibernateOrdering, wakeOrdering } from './sections/ordering.ts';
import { allowInsecureExternalUrl, clusterName, externalUrl, internalUrl } from './sections/own-addresses.ts';
import { proxyURL } from './sections/proxy.ts';
import { resourceRules } from './sections/resource-rules.ts';
import { serviceRedirection } from './sections/service-redirection.ts';
import { smtp } from './sections/smtp.ts';
import { targeting } from './sections/targeting.ts';
import { urlReadinessCheck } from './sections/url-readiness-check.ts';
import { workingHours } from './sections/working-hours.ts';

/** The keys under the headings by which people meet them, in that order. `sections` has a file for each. */
const headings = {
  Core: {
    clusterName,
    externalUrl,
    internalUrl,
    allowInsecureExternalUrl,
    global,
    operations,
    proxyURL,
    workingHours,
    holidays,
    targeting,
    resourceRules,
    hibernateOrdering,
    wakeOrdering,
    databases,
    externalDependencies,
    serviceRedirection,
  },
  'Controller and API tuning': { controller, api },
  'Authentication and mail': { auth, smtp },
  Notifications: { notifications },
  'External wake': { externalWake },
  'URL readiness check': { urlReadinessCheck },
  'Costs and insights': { awsCosts, insights, dashboardApi },
};

/** Everything under `config` in the chart's values, and the whole of `config.yaml` in the ConfigMap. */
export const configNode = record(
  {
    ...headings.Core,
    ...headings['Controller and API tuning'],
    ...headings['Authentication and mail'],
    ...headings.Notifications,
    ...headings['External wake'],
    ...headings['URL readiness check'],
    ...headings['Costs and insights'],
  },
  { description: 'Configuration of the service.' },
);

/** A validated configuration: complete, with defaults filled in, and frozen to its leaves. */
export type Config = Value<typeof configNode>;

export interface ConfigGroup {
  readonly title: string;
  readonly keys: readonly (keyof Config)[];
}

export const configGroups: readonly ConfigGroup[] = Object.entries(headings).map(([title, fields]) => ({
  title,
  keys: Object.keys(fields) as (keyof Config)[],
}));
