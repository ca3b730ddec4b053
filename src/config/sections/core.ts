import { displayName, holidayRegion } from '../formats/names.ts';
import { timezone } from '../formats/times.ts';
import { ownAddress, proxyUrl } from '../formats/urls.ts';
import { workingHours as hours } from '../formats/working-hours.ts';
import { choice, flag, list, record, text } from '../node.ts';

const day = (name: string, value: string) =>
  text({ default: value, format: hours, onOff: true, description: `Hours of ${name} in which the cluster is up.` });

export const proxy = (what: string) => text({ default: '', format: proxyUrl, secretUrl: true, description: what });

export const coreFields = {
  clusterName: text({
    format: displayName,
    rule: 'required',
    description: 'Name of this cluster in the web app, in notifications and in wake requests to other clusters.',
  }),
  externalUrl: text({
    format: ownAddress,
    rule: 'required; https unless `config.allowInsecureExternalUrl`',
    description: "The instance's own address, to which requests for foreign hosts are redirected.",
  }),
  internalUrl: text({
    default: '',
    format: ownAddress,
    rule: 'a bare host, without a path, while `config.auth.webauthn.enabled`',
    description: 'A second own address; while empty the external one serves.',
  }),
  allowInsecureExternalUrl: flag({
    default: false,
    description:
      'Lets `config.externalUrl` and the addresses of hosting clusters be plain http; for local development only.',
  }),
  global: record(
    {
      enabled: flag({ default: true, description: '`false` stands the service down until it is `true` again.' }),
    },
    { description: 'The switch for the whole service.' },
  ),
  operations: record(
    {
      dryRun: flag({ default: false, description: 'Log every decision and change nothing.' }),
      logLevel: choice(['debug', 'info', 'warn', 'error'], {
        default: 'info',
        rule: 'read at run time, no restart needed',
        description: 'The least severe level that is logged.',
      }),
      devMode: flag({
        default: false,
        description: 'With log level debug, also log the traffic with the cloud, credentials redacted.',
      }),
      enableApiAccessLogs: flag({ default: false, description: 'Log every request to the API.' }),
    },
    { description: 'How the service runs.' },
  ),
  proxyURL: proxy('HTTP proxy for outbound requests; a proxy of a single feature goes before it.'),
  workingHours: record(
    {
      timezone: text({
        default: 'Europe/Berlin',
        format: timezone,
        description: 'Timezone in which the schedule is read.',
      }),
      schedule: record(
        {
          monday: day('Monday', '08:00-20:00'),
          tuesday: day('Tuesday', '08:00-20:00'),
          wednesday: day('Wednesday', '08:00-20:00'),
          thursday: day('Thursday', '08:00-20:00'),
          friday: day('Friday', '08:00-20:00'),
          saturday: day('Saturday', 'off'),
          sunday: day('Sunday', 'off'),
        },
        { description: 'Working hours by weekday; outside of them the cluster hibernates.' },
      ),
    },
    { description: 'When the cluster is up.' },
  ),
  holidays: record(
    {
      regions: list(text({ format: holidayRegion, description: 'A region.' }), {
        maxItems: 50,
        description: 'Regions whose public holidays the calendar shows; empty shows none.',
      }),
      act: flag({ default: false, description: 'Treat a public holiday of these regions as a day that is `off`.' }),
    },
    { description: 'Public holidays.' },
  ),
};
