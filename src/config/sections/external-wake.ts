import { displayName, glob } from '../formats/names.ts';
import { duration } from '../formats/times.ts';
import { flag, int, list, record, text } from '../formats/value-types.ts';
import { secretRef } from './shared/secret-ref.ts';
import { remoteResources } from './shared/selectors.ts';

export const externalWake = record(
  {
    enabled: flag({ default: false, description: 'Let other clusters wake resources of this one.' }),
    localClusterName: text({
      default: '',
      format: displayName,
      rule: 'required while enabled',
      description: 'The name by which dependent clusters know this one; a wake that means another is refused.',
    }),
    clusters: list(
      record(
        {
          name: text({
            format: displayName,
            rule: 'unique',
            description: 'Name the dependent cluster gives itself.',
          }),
          secretRef,
          resources: remoteResources,
        },
        { description: 'A dependent cluster.' },
      ),
      { maxItems: 100, description: 'Clusters that may ask.' },
    ),
    excludedNamespaces: list(text({ format: glob, description: 'A namespace or a pattern.' }), {
      description: 'Namespaces that an external wake never wakes.',
    }),
    quotas: record(
      {
        maxConcurrentWakes: int({ default: 5, min: 1, max: 1000, description: 'Sessions at a time.' }),
        maxWakeDuration: text({ default: '8h', format: duration('1s', '168h'), description: 'The longest session.' }),
        maxWakesPerHour: int({ default: 20, min: 1, max: 10_000, description: 'New sessions an hour.' }),
      },
      { description: 'Limits on what other clusters may ask.' },
    ),
  },
  { description: 'Wakes asked for by other clusters.' },
);
