import { choice, flag, record } from '../formats/value-types.ts';

export const operations = record(
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
);
