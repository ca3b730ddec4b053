import { expect } from 'vitest';
import type { Row } from '../harness/rows.ts';

const mailServer = (port: number) => ({ smtp: { host: '127.0.0.1', port } });

export const signInRows: readonly Row[] = [
  {
    keys: ['auth.tokenExpiry', 'auth.refreshExpiry'],
    seen: 'the expiry dates of the tokens that a sign-in gives',
    start: (outside) => ({ ...mailServer(outside.mailPort), auth: { tokenExpiry: '2h', refreshExpiry: '5h' } }),
    reload: (outside) => ({ ...mailServer(outside.mailPort), auth: { tokenExpiry: '3h', refreshExpiry: '7h' } }),
    async look({ service, moment }) {
      const now = Date.now();
      const { expiresAt, refreshExpiresAt } = await service.signIn('expiry@example.com');
      const hours = (instant: string) => Math.round((Date.parse(instant) - now) / 3_600_000);
      expect([hours(expiresAt), hours(refreshExpiresAt)]).toEqual(moment === 'start' ? [2, 5] : [3, 7]);
    },
  },
];
