// Notices for tests.

import type { Message, MessagePlace } from '../../../src/domain/notification/message.ts';
import { messageOf } from '../../../src/domain/notification/message.ts';
import type { Notice } from '../../../src/domain/notification/notice.ts';

export const place: MessagePlace = {
  clusterName: 'dev-eu',
  url: 'https://svc.example.com/hibernate',
  timezone: 'Europe/Berlin',
  privacy: { anonymizeLogsEnabled: true, domains: ['example.com'] },
};

export const noon = Date.UTC(2026, 10, 16, 11);

export function notice(more: Partial<Notice> = {}): Notice {
  return { id: 'wake-1-ended', key: 'wakeComplete', at: noon, title: 'Wake Complete', color: 'green', ...more };
}

export function message(more: Partial<Notice> = {}): Message {
  return messageOf(notice(more), place);
}

const reason = 'restarted twice before it was ready';

/** A wake that lost two workloads and got five back. */
export const degraded: Notice = {
  id: 'wake-2-ended',
  key: 'wakeFailed',
  at: noon,
  title: 'Wake Complete - 2 workloads failed',
  color: 'red',
  facts: [
    { name: 'Initiated by', value: 'ann@example.org (stand-down)' },
    { name: 'Duration', value: '17m20s' },
  ],
  casualties: [
    'Deployment shop/cart was still Unschedulable after 15 minutes',
    'StatefulSet shop/orders-db could not pull its image in 15 minutes',
  ],
  recoveries: ['a', 'b', 'c', 'd', 'e'].map(
    (name) => `Deployment shop/${name} ${reason}, came up less than 1 minute after the restart`,
  ),
  alsoHigh: true,
};

/** Everything somebody could write into a name, a reason or a kubelet's message. */
export const hostileTexts: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</td></tr></table><h1>Sign in</h1>',
  '[Reset your password](https://evil.example.net)',
  '**bold** _it_ # heading',
  '![x](https://evil.example.net/pixel.png)',
  '<https://evil.example.net|Open>',
  '<!channel> <!here> <@U123>',
  '<at>everyone</at>',
  '{{DATE(2026-01-01)}} {{secret}}',
  'line one\r\nBcc: victim@example.net',
  'tab\tand\u0000nul\u001b[31mred',
  'reading \u202Etfel ot thgir\u202C and \u2066isolated\u2069',
  'zero\u200Bwidth\uFEFF',
  'lone \ud800 surrogate',
  '=HYPERLINK("https://evil.example.net")',
  'x'.repeat(50_000),
];
