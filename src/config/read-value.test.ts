import { describe, expect, it } from 'vitest';
import { withValue } from '../../test/support/examples/config-examples.ts';
import { parseConfig } from './parse-config.ts';

function errorsOf(input: unknown): readonly string[] {
  const result = parseConfig(input);
  return result.ok ? [] : result.errors.map(({ path, message }) => `${path}: ${message}`);
}

type Rows = Record<string, [path: string, value: unknown, message: string]>;

function refuses(title: string, rows: Rows) {
  describe(`${title} refuses`, () => {
    it.each(Object.entries(rows))('%s', (_name, [path, value, message]) => {
      expect(errorsOf(withValue(path, value))).toEqual([message]);
    });
  });
}

const time = 'is not a time: write HH:MM with two digits each, from 00:00 to 23:59';
const map = 'must be a map of keys and values';

refuses('workingHours', {
  'an hour of one digit': [
    'workingHours.schedule.monday',
    '8:00-20:00',
    `workingHours.schedule.monday: "8:00" ${time}`,
  ],
  'the hour 25': ['workingHours.schedule.friday', '08:00-25:00', `workingHours.schedule.friday: "25:00" ${time}`],
  'a range over midnight': [
    'workingHours.schedule.monday',
    '20:00-06:00',
    'workingHours.schedule.monday: "20:00-06:00" is a range that ends before it starts: write 20:00-00:00 here and 00:00-06:00 on the next weekday',
  ],
  'the hour 24': [
    'workingHours.schedule.monday',
    '08:00-24:00',
    'workingHours.schedule.monday: "24:00" is not a time: write 00:00 for midnight at the end of the day',
  ],
  'an empty day': ['workingHours.schedule.monday', '', 'workingHours.schedule.monday: must not be empty'],
  'a weekday that does not exist': [
    'workingHours.schedule.moonday',
    'off',
    'workingHours.schedule.moonday: is not a known key; did you mean monday?',
  ],
  'a weekday in capitals': [
    'workingHours.schedule.Monday',
    'off',
    'workingHours.schedule.Monday: is not a known key; did you mean monday?',
  ],
  'a misspelt timezone': [
    'workingHours.timezone',
    'Europe/Berln',
    'workingHours.timezone: "Europe/Berln" is not a timezone; did you mean Europe/Berlin?',
  ],
  'a timezone that does not exist': [
    'workingHours.timezone',
    'Middle-earth/Shire',
    'workingHours.timezone: "Middle-earth/Shire" is not a timezone: write a name of the IANA database, for example Europe/Berlin',
  ],
  'an offset for a timezone': [
    'workingHours.timezone',
    '+01:00',
    'workingHours.timezone: "+01:00" is an offset, which knows no summer time: write a name such as Europe/Berlin or UTC',
  ],
  'an instant for a timezone': [
    'workingHours.timezone',
    '2026-01-01T00:00[Europe/Berlin]',
    'workingHours.timezone: "2026-01-01T00:00[Europe/Berlin]" is not a timezone: write a name of the IANA database, for example Europe/Berlin',
  ],
});

refuses('a duration', {
  'no unit': [
    'controller.reconcileInterval',
    '30',
    'controller.reconcileInterval: "30" has no unit; write "30s" for seconds',
  ],
  'a bare number': [
    'controller.wakeBarrierTimeout',
    10,
    'controller.wakeBarrierTimeout: must be text, not the number 10; "10" has no unit; write "10s" for seconds',
  ],
  days: ['auth.refreshExpiry', '7d', 'auth.refreshExpiry: "7d" has the unknown unit "d"; use h, m, s or ms: "168h"'],
  zero: ['controller.reconcileInterval', '0s', 'controller.reconcileInterval: "0s" is too short; the shortest is 1s'],
  'more than its bound': ['api.shutdownTimeout', '61m', 'api.shutdownTimeout: "61m" is too long; the longest is 1h'],
});

refuses('a number', {
  'a readiness interval below 1': [
    'urlReadinessCheck.intervalSeconds',
    0,
    'urlReadinessCheck.intervalSeconds: must be from 1 to 60, not 0',
  ],
  'a readiness interval above 60': [
    'urlReadinessCheck.intervalSeconds',
    61,
    'urlReadinessCheck.intervalSeconds: must be from 1 to 60, not 61',
  ],
  'a readiness threshold below 1': [
    'urlReadinessCheck.consecutiveThreshold',
    0,
    'urlReadinessCheck.consecutiveThreshold: must be from 1 to 30, not 0',
  ],
  'a readiness threshold above 30': [
    'urlReadinessCheck.consecutiveThreshold',
    31,
    'urlReadinessCheck.consecutiveThreshold: must be from 1 to 30, not 31',
  ],
  'a quota of none': [
    'externalWake.quotas.maxConcurrentWakes',
    0,
    'externalWake.quotas.maxConcurrentWakes: must be from 1 to 1000, not 0',
  ],
  'a fraction of a query': ['api.kubernetesQPS', 1.5, 'api.kubernetesQPS: must be a whole number, not 1.5'],
  'digits in quotes': [
    'smtp.port',
    '25',
    'smtp.port: must be a whole number, not the text "25"; write it without quotes',
  ],
  'not a number': ['insights.pue', Number.NaN, 'insights.pue: must be a number, not the number NaN'],
  'a port above 65535': ['smtp.port', 65_536, 'smtp.port: must be from 1 to 65535, not 65536'],
});

refuses('a value of the wrong type', {
  'true in quotes': [
    'operations.dryRun',
    'true',
    'operations.dryRun: must be true or false, not the text "true"; write it without quotes',
  ],
  'a number for a switch': ['operations.dryRun', 1, 'operations.dryRun: must be true or false, not the number 1'],
  'a boolean for a text': ['clusterName', true, 'clusterName: must be text, not true; put it in quotes'],
  'a text for a list': ['auth.adminUsers', 'a@b.c', 'auth.adminUsers: must be a list, not a text'],
  'a list for a map': ['operations', [], `operations: ${map}, not a list`],
  'nothing in a list': ['auth.adminUsers', [null], 'auth.adminUsers[0]: must be text, not nothing'],
  'a webhook as a bare URL, without repeating it': [
    'notifications.channels.teams.webhooks',
    ['https://hooks.example.com/secret'],
    `notifications.channels.teams.webhooks[0]: ${map}, not a text`,
  ],
  'a number for a recipient': [
    'notifications.channels.email.recipients',
    [5],
    `notifications.channels.email.recipients[0]: must be text or a map of keys and values, not the number 5`,
  ],
});

refuses('an unknown key', {
  'at the top, with its nearest name': [
    'clustername',
    'x',
    'clustername: is not a known key; did you mean clusterName?',
  ],
  'deep inside': ['auth.webauthn.rpid', 'x', 'auth.webauthn.rpid: is not a known key; did you mean rpId?'],
  'in a list entry': [
    'serviceRedirection.services',
    [{ namespace: 'a', name: 'b', port: 80 }],
    'serviceRedirection.services[0].port: is not a known key; known here: namespace, name',
  ],
  'that is nothing like any': ['global.zzzzzzzz', 1, 'global.zzzzzzzz: is not a known key; known here: enabled'],
  'in an event map': [
    'notifications.events.standdown',
    false,
    'notifications.events.standdown: is not a known key; did you mean standDown?',
  ],
  'even when it is null': ['operations.dryrun', null, 'operations.dryrun: is not a known key; did you mean dryRun?'],
});

refuses('a choice', {
  'a log level': [
    'operations.logLevel',
    'trace',
    'operations.logLevel: must be one of debug, info, warn, error, not "trace"',
  ],
  'a log level in capitals': [
    'operations.logLevel',
    'INFO',
    'operations.logLevel: must be one of debug, info, warn, error, not "INFO"',
  ],
  'a cost metric': [
    'awsCosts.costMetric',
    'Cost',
    'awsCosts.costMetric: must be one of UnblendedCost, BlendedCost, AmortizedCost, NetUnblendedCost, NetAmortizedCost, not "Cost"',
  ],
  'another cloud': [
    'databases',
    { main: { provider: 'gcp', type: 'instance', identifier: 'a', region: 'eu-west-1' } },
    'databases.main.provider: must be aws, not "gcp"',
  ],
});

refuses('a name or address', {
  'a kind of workload that is not managed': [
    'resourceRules.neverScale',
    [{ namespace: 'shop', type: 'ReplicaSet' }],
    'resourceRules.neverScale[0].type: "ReplicaSet" is not a type: write Deployment, StatefulSet, CronJob, ScaledObject, ScaledJob, Rollout, Cluster, postgresql, Prometheus, KafkaConnect, KafkaBridge, KafkaMirrorMaker2, AutoscalingRunnerSet, DaemonSet, HorizontalPodAutoscaler, Kustomization, HelmRelease or Application',
  ],
  'an email without a domain': [
    'auth.adminUsers',
    ['ops'],
    'auth.adminUsers[0]: "ops" is not a mail address such as ops@example.com',
  ],
  'an email with two @': [
    'auth.adminUsers',
    ['a@b@c.d'],
    'auth.adminUsers[0]: "a@b@c.d" is not a mail address such as ops@example.com',
  ],
  'an email with a letter of another script': [
    'auth.adminUsers',
    ['аdmin@b.c'],
    'auth.adminUsers[0]: "аdmin@b.c" is not a mail address such as ops@example.com',
  ],
  'an email with a line break': [
    'smtp.from',
    'a@b.c\nBcc: x',
    'smtp.from: "a@b.c\\nBcc: x" is not a mail address such as ops@example.com',
  ],
  'an email with a display name': [
    'smtp.from',
    'Ops <a@b.c>',
    'smtp.from: "Ops <a@b.c>" has a display name; write the address alone',
  ],
  'a domain with @': [
    'auth.allowedEmailDomains',
    ['@b.c'],
    'auth.allowedEmailDomains[0]: "@b.c" begins with @; write "b.c"',
  ],
  'a mail host with its port': ['smtp.host', 'mail:25', 'smtp.host: "mail:25" has a port; write it in smtp.port'],
  'a mail host with a scheme': [
    'smtp.host',
    'smtp://mail',
    'smtp.host: "smtp://mail" has a scheme; write the host alone',
  ],
  'a refresh time of one digit': ['awsCosts.refreshTimeUTC', '5:50', `awsCosts.refreshTimeUTC: "5:50" ${time}`],
  'a refresh time with seconds': ['awsCosts.refreshTimeUTC', '05:50:00', `awsCosts.refreshTimeUTC: "05:50:00" ${time}`],
  'a regular expression for a pattern': [
    'targeting.namespaces.exclude',
    [{ pattern: '(a+)+$' }],
    'targeting.namespaces.exclude[0].pattern: "(a+)+$" is not a pattern: lower-case letters, digits, hyphens, dots, * for any characters and ? for one',
  ],
  'a pattern that is too long': [
    'targeting.namespaces.exclude',
    [{ pattern: '*a'.repeat(200) }],
    'targeting.namespaces.exclude[0].pattern: must have at most 253 characters, not 400',
  ],
  'a host pattern with a scheme': [
    'urlReadinessCheck.whitelist',
    ['https://*.example.com'],
    'urlReadinessCheck.whitelist[0]: "https://*.example.com" has a scheme; write the host alone',
  ],
  'a host pattern with a port': [
    'urlReadinessCheck.whitelist',
    ['[fd00::2]:80'],
    'urlReadinessCheck.whitelist[0]: "[fd00::2]:80" has a port; write the host alone',
  ],
  'a holiday region in lower case': [
    'holidays.regions',
    ['de'],
    'holidays.regions[0]: "de" is not a region code such as DE, DE-BY or US-LA-NO, in upper case',
  ],
  'a cluster name of two lines': [
    'clusterName',
    'a\nb',
    'clusterName: "a\\nb" contains a line break or another control character; write it on one line',
  ],
  'a cluster name of blanks': ['clusterName', '   ', 'clusterName: "   " is blank; write something to read'],
  'a name of blanks where none is needed': [
    'auth.webauthn.displayName',
    ' ',
    'auth.webauthn.displayName: " " is blank; write something to read',
  ],
  'a database key in capitals': [
    'databases',
    { Main: { type: 'instance', identifier: 'a', region: 'eu-west-1' } },
    'databases.Main: the key "Main" is not a name of lower-case letters, digits and hyphens that begins and ends with a letter or digit',
  ],
  'a label key of odd letters': [
    'resourceRules.neverScale',
    [{ namespace: 'a', labels: { 'a b': 'c' } }],
    'resourceRules.neverScale[0].labels["a b"]: the key "a b" is not a label key such as app.kubernetes.io/name',
  ],
});

refuses('a URL', {
  'without a scheme': [
    'externalUrl',
    'svc.example.com',
    'externalUrl: "svc.example.com" has no scheme; begin it with https://',
  ],
  'of another scheme': ['internalUrl', 'ftp://a.b', 'internalUrl: "ftp://a.b" has the scheme "ftp"; use https'],
  'without a host': [
    'internalUrl',
    'https:///x',
    'internalUrl: "https:///x" has no valid host; write one such as https://svc.example.com',
  ],
  'with a port that does not exist': [
    'internalUrl',
    'https://a.b:99999',
    'internalUrl: "https://a.b:99999" has no valid host; write one such as https://svc.example.com',
  ],
  'with a query': [
    'externalUrl',
    'https://a.b/?x=1',
    'externalUrl: "https://a.b/?x=1" has a query or a fragment; end it after the path',
  ],
  'with a user, without repeating the password': [
    'externalUrl',
    'https://u:hunter2@a.b',
    'externalUrl: "https://a.b" carries a user name; remove it',
  ],
  'of a wrong scheme with a user, without repeating the password': [
    'externalUrl',
    'ftp://u:hunter2@a.b',
    'externalUrl: "ftp://…@a.b" has the scheme "ftp"; use https',
  ],
  'of a proxy, without repeating it': [
    'proxyURL',
    'socks5://u:hunter2@p:1',
    'proxyURL: the proxy URL has the scheme "socks5"; use https',
  ],
  'of a proxy with a path': [
    'proxyURL',
    'http://p:8080/x',
    'proxyURL: the proxy URL has a path, a query or a fragment; end it after the port',
  ],
  'of a webhook, without repeating it': [
    'notifications.channels.slack.webhooks',
    [{ url: 'hooks.example.com/secret' }],
    'notifications.channels.slack.webhooks[0].url: the URL has no scheme; begin it with https://',
  ],
  'of an origin with a path': [
    'dashboardApi.corsOrigins',
    ['https://a.b/'],
    'dashboardApi.corsOrigins[0]: "https://a.b/" is not what a browser sends; write https://a.b',
  ],
  'of any origin': [
    'dashboardApi.corsOrigins',
    ['*'],
    'dashboardApi.corsOrigins[0]: "*" has a wildcard; name each origin, such as https://dashboard.example.com',
  ],
  'of an origin with its default port': [
    'dashboardApi.corsOrigins',
    ['https://a.b:443'],
    'dashboardApi.corsOrigins[0]: "https://a.b:443" is not what a browser sends; write https://a.b',
  ],
});

refuses('what is required', {
  'a cluster without a name': [
    'clusterName',
    '',
    'clusterName: is required: Name of this cluster in the web app, in notifications and in wake requests to other clusters.',
  ],
  'a cluster name of null': [
    'clusterName',
    null,
    'clusterName: is required: Name of this cluster in the web app, in notifications and in wake requests to other clusters.',
  ],
  'no external address': [
    'externalUrl',
    '',
    "externalUrl: is required: The instance's own address, to which requests for foreign hosts are redirected.",
  ],
  'a rule without its namespace': [
    'resourceRules.neverScale',
    [{ name: 'redis' }],
    'resourceRules.neverScale[0].namespace: is required: Namespace, or a pattern of namespaces.',
  ],
  'a dependent cluster without its key': [
    'externalWake.clusters',
    [{ name: 'b' }],
    'externalWake.clusters[0].secretRef: is required: Where the shared key is kept.',
  ],
  'too many entries': [
    'holidays.regions',
    Array(51).fill('DE'),
    'holidays.regions: must have at most 50 entries, not 51',
  ],
});
