import type { Row } from '../harness/rows.ts';

const [first, second] = ['https://first.example.com', 'https://second.example.com'] as const;

export const dashboardRows: readonly Row[] = [
  {
    keys: { 'dashboardApi.corsOrigins': { start: [first, null], reload: [null, second] } },
    in: 'api',
    seen: 'the header `access-control-allow-origin` of the dashboard status',
    start: { dashboardApi: { corsOrigins: [first] } },
    reload: { dashboardApi: { corsOrigins: [second] } },
    async see({ service }) {
      const allowed = async (origin: string) => {
        const answer = await fetch(`${service.apiUrl}/api/v1/public/dashboard-status`, { headers: { origin } });
        return answer.headers.get('access-control-allow-origin');
      };
      return { 'dashboardApi.corsOrigins': [await allowed(first), await allowed(second)] };
    },
  },
  {
    keys: { 'dashboardApi.enabled': { start: 200, reload: 404 } },
    in: 'api',
    seen: 'whether `GET /api/v1/public/dashboard-status` answers without a sign-in',
    start: { dashboardApi: { enabled: true } },
    reload: { alone: { dashboardApi: { enabled: false } } },
    async see({ service }) {
      return { 'dashboardApi.enabled': (await fetch(`${service.apiUrl}/api/v1/public/dashboard-status`)).status };
    },
  },
];
