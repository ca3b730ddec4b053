/** What is not shown, or does not work, yet. `begins` is the beginning of the sentence that the tables fail with. */
export interface KnownGap {
  readonly begins: string;
  readonly why: string;
}

const unsent = 'the API has no way to send a card';

/** Where the flags of events are. */
const flagMaps = [
  'events',
  'channels.email.recipients[].events',
  'channels.teams.webhooks[].events',
  'channels.slack.webhooks[].events',
  'channels.webhook.webhooks[].events',
];

/** To be emptied: what the product does not do, and what no row looks at yet. */
export const knownGaps: readonly KnownGap[] = [
  // The product.
  { begins: 'holidays.', why: 'the API knows no holidays; there is no row before it does' },
  { begins: 'parameterStoreSize:', why: unsent },
  ...flagMaps.map((map) => ({ begins: `notifications.${map}.parameterStoreSize:`, why: unsent })),
  // No row yet.
  { begins: 'operations.dryRun', why: 'no row yet' },
  { begins: 'databases.<name>.hourlyRate', why: 'no row yet: it is in the cost report' },
];

/** Rights that no file of this suite makes use of yet, each with the feature that does. */
export const rightsUsedElsewhere: Readonly<Record<string, string>> = {
  'svc-controller: delete configmaps in the namespace svc-system':
    'audit files past their retention; parts of a state that has outgrown one ConfigMap',
  'svc-controller: get cronjobs.batch in the whole cluster': 'a CronJob that is read anew before a record changes',
  'svc-controller: get statefulsets.apps in the whole cluster':
    'a StatefulSet that is read anew before a record changes',
  'svc-controller: patch cronjobs.batch in the whole cluster': 'CronJobs that are suspended',
  'svc-api: list configmaps in the namespace svc-system': 'the audit log',
  'svc-api: patch configmaps svc-passkeys in the namespace svc-system': 'a second passkey',
};

/** The problems that are no known gap, and the gaps that are none any more. */
export function unexpected(problems: readonly string[]): readonly string[] {
  return problems.filter((problem) => !knownGaps.some(({ begins }) => problem.startsWith(begins)));
}
