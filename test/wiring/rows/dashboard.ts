import { expect } from 'vitest';
import type { Row } from '../harness/rows.ts';

export const dashboardRows: readonly Row[] = [
  {
    keys: ['dashboardApi.corsOrigins'],
    seen: 'the header `access-control-allow-origin` of the dashboard status',
    start: { dashboardApi: { corsOrigins: ['https://first.example.com'] } },
    reload: { dashboardApi: { corsOrigins: ['https://second.example.com'] } },
    async look({ service, moment }) {
      const allowed = async (origin: string) => {
        const answer = await fetch(`${service.apiUrl}/api/v1/public/dashboard-status`, { headers: { origin } });
        return answer.headers.get('access-control-allow-origin');
      };
      const [yes, no] = ['https://first.example.com', 'https://second.example.com'] as const;
      expect([await allowed(yes), await allowed(no)]).toEqual(moment === 'start' ? [yes, null] : [null, no]);
    },
  },
  {
    keys: ['dashboardApi.enabled'],
    seen: 'whether `GET /api/v1/public/dashboard-status` answers without a sign-in',
    start: { dashboardApi: { enabled: true } },
    reload: { dashboardApi: { enabled: false } },
    async look({ service, moment }) {
      const { status } = await fetch(`${service.apiUrl}/api/v1/public/dashboard-status`);
      expect(status).toBe(moment === 'start' ? 200 : 404);
    },
  },
];
