import { Alert, Stack } from '@mui/material';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { useCosts, useInsights } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { CostView } from './cost-view.tsx';
import { SavingsView } from './savings-view.tsx';

type Reading = AnswerOf<'insights'>;

export function InsightsPage() {
  const insights = useInsights();
  const costs = useCosts();
  return (
    <Page title="Insights" lead="What hibernation saves, and how each figure comes about.">
      <Answer of={insights}>
        {(value) => <Available reading={value}>{(report) => <SavingsView report={report} />}</Available>}
      </Answer>
      <Answer of={costs}>
        {(value) => <Available reading={value}>{(report) => <CostView report={report} />}</Available>}
      </Answer>
    </Page>
  );
}

interface AvailableProps {
  readonly reading: Reading;
  readonly children: (report: Readonly<Record<string, unknown>>) => ReactNode;
}

/** A feature that is off, or has no figures yet, says so in its own words. */
function Available({ reading, children }: AvailableProps) {
  const note = reading.message === undefined ? null : <Alert severity="info">{reading.message}</Alert>;
  if (!reading.available || reading.report === null)
    return note ?? <Alert severity="info">There are no figures yet.</Alert>;
  return (
    <Stack spacing={2}>
      {note}
      {children(reading.report)}
    </Stack>
  );
}
