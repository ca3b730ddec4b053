import { expect } from 'vitest';
import type { Row } from '../harness/rows.ts';

const [first, second] = ['https://first.example.com', 'https://second.example.com'] as const;

export const dashboardRows: readonly Row[] = [
  {
    keys: ['dashboardApi.corsOrigins'],
    seen: 'the header `access-control-allow-origin` of the dashboard status',
    start: { dashboardApi: { corsOrigins: [first] } },
    reload: { dashboardApi: { corsOrigins: [second] } },
    async look({ service, moment }) {
      const allowed = async (origin: string) => {
        const answer = await fetch(`${service.apiUrl}/api/v1/public/dashboard-status`, { headers: { origin } });
        return answer.headers.get('access-control-allow-origin');
      };
      expect([await allowed(first), await allowed(second)]).toEqual(
        moment === 'start' ? [first, null] : [null, second],
      );
    },
  },
  {
    keys: ['dashboardApi.enabled'],
    seen: 'whether `GET /api/v1/public/dashboard-status` answers without a sign-in',
    start: { dashboardApi: { enabled: true } },
    reload: 'own',
    async look({ service, moment }) {
      const status = async () => (await fetch(`${service.apiUrl}/api/v1/public/dashboard-status`)).status;
      if (moment === 'start') return expect(await status()).toBe(200);
      await service.with({ dashboardApi: { enabled: false } }, async () => expect(await status()).toBe(404));
    },
  },
];
