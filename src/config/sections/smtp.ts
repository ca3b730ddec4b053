import { email, mailHost } from '../formats/names.ts';
import { flag, int, record, text } from '../formats/value-types.ts';

export const smtp = record(
  {
    enabled: flag({ default: true, description: 'Send mail; without it nobody can sign in.' }),
    host: text({ default: '', format: mailHost, description: 'Host of the mail server.' }),
    port: int({ default: 1025, min: 1, max: 65_535, description: 'Port of the mail server.' }),
    from: text({ default: 'no-reply@svc.local', format: email, description: 'Sender address.' }),
  },
  { description: 'The mail server.' },
);
