import { Alert, Stack } from '@mui/material';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import type { CostReport } from '../../../src/domain/cost/report.ts';
import type { InsightsReport } from '../../../src/domain/insight/report.ts';
import { useCosts, useFleet, useInsights, useStatus } from '../data/queries.ts';
import { NotCurrent } from '../overview/as-of.tsx';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { measuresOf } from './columns.ts';
import { CostView } from './cost-view.tsx';
import { FleetSection } from './fleet-section.tsx';
import { MeasureSection } from './measure-section.tsx';
import { SavingsView } from './savings-view.tsx';

type Reading = AnswerOf<'insights'>;

export function InsightsPage() {
  const insights = useInsights();
  const costs = useCosts();
  const fleet = useFleet();
  const dryRun = useStatus().data?.dryRun === true;
  return (
    <Page title="Insights" lead="What hibernation saves, and how each figure comes about.">
      <NotCurrent reads={[insights, costs, fleet]} />
      <Answer of={insights}>
        {(saved) => (
          <Answer of={costs}>
            {(cost) => (
              <Pictures insights={saved} costs={cost} projection={fleet.data?.projection ?? null} dryRun={dryRun} />
            )}
          </Answer>
        )}
      </Answer>
      <Answer of={fleet}>{(value) => <FleetSection fleet={value} />}</Answer>
    </Page>
  );
}

interface PicturesProps {
  readonly insights: Reading;
  readonly costs: Reading;
  readonly projection: AnswerOf<'fleet'>['projection'];
  readonly dryRun: boolean;
}

export function Pictures({ insights, costs, projection, dryRun }: PicturesProps) {
  // The contract leaves reports open: each is its feature's own, and this app is of the same release.
  const saved = (insights.report ?? undefined) as InsightsReport | undefined;
  const cost = (costs.report ?? undefined) as CostReport | undefined;
  const slept = saved !== undefined && saved.asleepHours > 0;
  return (
    <Stack spacing={3}>
      <Off reading={insights} />
      {saved === undefined && cost === undefined ? null : (
        <MeasureSection
          title="By day and week"
          note={`Actual beside planned, days of ${saved?.timezone ?? 'UTC'}; billed and estimated are told apart.`}
          measures={measuresOf(saved, cost)}
        />
      )}
      {projection === null || (slept && !dryRun) ? null : (
        <MeasureSection
          projected
          title="The coming week, projected"
          note={dryRun ? 'Dry run is on, so nothing sleeps yet.' : 'The cluster has not slept yet.'}
          measures={measuresOf(projection as InsightsReport, undefined)}
        />
      )}
      {insights.report === null ? null : <SavingsView report={insights.report} />}
      <Off reading={costs} />
      {costs.report === null ? null : <CostView report={costs.report} />}
    </Stack>
  );
}

/** A feature that is off, or has no figures yet, says so in its own words. */
function Off({ reading }: { reading: Reading }) {
  if (reading.message !== undefined) return <Alert severity="info">{reading.message}</Alert>;
  return reading.available && reading.report !== null ? null : <Alert severity="info">There are no figures yet.</Alert>;
}
