import { awsRegion, displayName, hostPattern, tagKey } from '../formats/names.ts';
import { timeOfDayUtc } from '../formats/times.ts';
import { origin } from '../formats/urls.ts';
import { choice, flag, float, int, list, map, record, text } from '../node.ts';
import { proxy } from './core.ts';

export const readinessFields = {
  urlReadinessCheck: record(
    {
      enabled: flag({ default: false, description: 'Check that a URL answers before it is called ready.' }),
      intervalSeconds: int({ default: 5, min: 1, max: 60, description: 'Seconds between two checks.' }),
      consecutiveThreshold: int({
        default: 3,
        min: 1,
        max: 30,
        description: 'Successes in a row before a URL is ready.',
      }),
      whitelist: list(text({ format: hostPattern, description: 'A pattern.' }), {
        description:
          'Hosts that may be checked; empty allows every host that is not private. One that is named here may be private.',
      }),
      proxyURL: proxy('HTTP proxy for these checks, instead of `config.proxyURL`.'),
    },
    { description: 'Readiness of URLs after a wake.' },
  ),
};

const watts = (value: number, description: string) => float({ default: value, min: 0, max: 1000, description });

export const costFields = {
  awsCosts: record(
    {
      enabled: flag({ default: false, description: 'Query costs.' }),
      tagKey: text({
        default: 'aws:eks:cluster-name',
        format: tagKey,
        rule: 'activated in the billing console',
        description: 'Cost allocation tag that marks the resources of the cluster.',
      }),
      tagValue: text({
        default: '',
        format: displayName,
        rule: 'required while enabled',
        description: 'Value of that tag: the name of the cluster.',
      }),
      costMetric: choice(['UnblendedCost', 'BlendedCost', 'AmortizedCost', 'NetUnblendedCost', 'NetAmortizedCost'], {
        default: 'NetUnblendedCost',
        description: 'Which cost is queried.',
      }),
      hourlyGranularity: flag({
        default: true,
        rule: 'needs an opt-in of the account',
        description: 'Query costs by the hour.',
      }),
      refreshTimeUTC: text({
        default: '05:50',
        format: timeOfDayUtc,
        description: 'When costs and database rates are refreshed each day.',
      }),
      cacheTTL: text({ default: '1h', rule: 'ignored', description: 'Kept so that older values files are accepted.' }),
      region: text({ default: 'us-east-1', format: awsRegion, description: 'Region of the cost queries.' }),
      statsRegion: text({
        default: '',
        format: awsRegion,
        description: 'Region of the parameter store; `region` while empty.',
      }),
      profile: text({ default: '', format: displayName, description: 'Credential profile.' }),
      proxyURL: proxy('HTTP proxy for cost queries, instead of `config.proxyURL`.'),
      resourceTags: map(tagKey, text({ default: '', maxLength: 256, description: 'Value of the tag.' }), {
        maxItems: 50,
        description: 'Tags on the parameters that hold statistics.',
      }),
    },
    { description: 'Costs from AWS.' },
  ),
  insights: record(
    {
      enabled: flag({ default: true, description: 'Show what hibernation saves.' }),
      defaultCPUCores: float({
        default: 0.25,
        min: 0,
        max: 1024,
        description: 'Cores of a container without a CPU request.',
      }),
      defaultMemoryGB: float({
        default: 0.5,
        min: 0,
        max: 65_536,
        description: 'Memory of a container without a memory request.',
      }),
      cpuWattsPerVCPU: record(
        {
          amd64: watts(2.3, 'Watts of a virtual CPU on amd64.'),
          arm64: watts(1.084, 'Watts of a virtual CPU on arm64.'),
        },
        { description: 'Power of a virtual CPU.' },
      ),
      memoryWattsPerGB: watts(0.392, 'Watts of a gigabyte of memory.'),
      pue: float({ default: 1.14, min: 1, max: 10, description: 'Power usage effectiveness of the data centre.' }),
      gridIntensityGCO2ePerKWh: int({
        default: 298,
        min: 0,
        max: 10_000,
        description: 'Grams of CO2e in a kilowatt-hour.',
      }),
    },
    { description: 'Savings and sustainability.' },
  ),
  dashboardApi: record(
    {
      enabled: flag({ default: false, description: 'Serve the dashboard status without a sign-in.' }),
      corsOrigins: list(text({ format: origin, description: 'An origin.' }), {
        maxItems: 100,
        description: 'Origins whose pages may read the dashboard endpoints in a browser.',
      }),
    },
    { description: 'Status for dashboards.' },
  ),
};
