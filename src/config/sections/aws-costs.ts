import { awsRegion, displayName, tagKey } from '../formats/names.ts';
import { timeOfDayUtc } from '../formats/times.ts';
import { choice, flag, map, record, text } from '../formats/value-types.ts';
import { proxy } from './proxy.ts';

export const awsCosts = record(
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
      description: 'Tags on the parameters that hold statistics; one that is taken out here stays on them.',
    }),
  },
  { description: 'Costs from AWS.' },
);
