import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { alertsReference } from './alerts-reference.ts';
import { withConfigValues } from './chart-config-values.ts';
import { chartKinds, chartReservedKinds } from './chart-kinds.ts';
import { chartReadme } from './chart-readme.ts';
import { configReference } from './config-reference.ts';
import { figureFiles } from './figures/recorded-figures.ts';
import type { GeneratedFile } from './generated-file.ts';
import { grafanaDashboard } from './grafana-dashboard.ts';
import { holidaysModule } from './holidays.ts';
import { metricsReference } from './metrics-reference.ts';
import { apiReference } from './recording/api-reference.ts';
import { eventsReference } from './recording/events-reference.ts';
import { svcReference } from './recording/svc-reference.ts';
import { rightsReference } from './rights-table.ts';
import { timeZoneList } from './time-zones.ts';
import { touchesPage } from './touches-page.ts';
import { valuesSchema } from './values-schema.ts';

const chart = join(import.meta.dirname, '../../charts/svc');
const read = (name: string) => readFileSync(join(chart, name), 'utf8');
/** Hand-written but for its part under `config`. */
const chartValues = () => withConfigValues(read('values.yaml'));
const chartVersion = () => (parse(read('Chart.yaml')) as { version: string }).version;

/** Every file of the repository that comes from another. */
export const generatedFiles: readonly GeneratedFile[] = [
  { path: 'charts/svc/values.yaml', content: chartValues },
  {
    path: 'charts/svc/values.schema.json',
    content: () => `${JSON.stringify(valuesSchema(chartValues()), null, 2)}\n`,
  },
  { path: 'charts/svc/README.md', content: () => chartReadme(chartValues(), chartVersion()) },
  { path: 'charts/svc/dashboards/svc.json', content: grafanaDashboard },
  { path: 'charts/svc/files/time-zones.txt', content: timeZoneList },
  { path: 'charts/svc/files/kinds.json', content: chartKinds },
  { path: 'charts/svc/files/reserved-kinds.json', content: chartReservedKinds },
  { path: 'docs/reference/configuration.md', content: configReference },
  { path: 'src/domain/holiday/holidays.gen.ts', content: holidaysModule },
  { path: 'docs/reference/metrics.md', content: metricsReference },
  { path: 'docs/reference/rights.md', content: rightsReference },
  { path: 'docs/what-it-touches.md', content: touchesPage },
  { path: 'docs/reference/api.md', content: apiReference },
  { path: 'docs/reference/svc.md', content: svcReference },
  { path: 'docs/reference/events.md', content: eventsReference },
  { path: 'docs/reference/alerts.md', content: () => alertsReference(chartValues()) },
  ...figureFiles(),
];
