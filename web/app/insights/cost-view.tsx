import { Alert, Stack } from '@mui/material';
import type { CostReport } from '../../../src/domain/cost/report.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';
import { FormulaList } from './formula-list.tsx';
import { formulasOf, numberText } from './report.ts';
import { FigureCards } from './savings-view.tsx';

/** Billed and estimated are told apart, and the estimate is never above what was spent. */
export function CostView({ report }: { report: Readonly<Record<string, unknown>> }) {
  const { currency, billed, estimate, days, problem } = report as Partial<CostReport>;
  const money = (amount: number | undefined) =>
    amount === undefined ? 'not known' : `${numberText(amount)} ${currency ?? ''}`;
  return (
    <Section title="Costs" note="Billed amounts come from the cloud; estimates are ours and marked as such.">
      <Stack spacing={2}>
        {problem === undefined ? null : <Alert severity="warning">{problem}</Alert>}
        <FigureCards
          figures={[
            ...(billed ? [{ name: `Billed ${billed.from} to ${billed.to}`, value: money(billed.amount) }] : []),
            ...(billed ? [{ name: 'of which the cloud may still change', value: money(billed.provisional) }] : []),
            ...(estimate?.saved === undefined
              ? []
              : [
                  {
                    name: `Saved (estimate${estimate.capped ? ', capped at the spend' : ''})`,
                    value: money(estimate.saved),
                  },
                ]),
          ]}
        />
        {estimate === undefined ? null : <Alert severity="info">{estimate.message}</Alert>}
        {days === undefined || days.length === 0 ? null : (
          <DataTable
            label="Costs by day"
            rows={days}
            keyOf={({ date }) => date}
            maxHeight={420}
            columns={[
              { name: 'Day (UTC)', of: ({ date }) => date },
              {
                name: 'Billed',
                align: 'right',
                of: ({ billed: amount, provisional }) => `${money(amount)}${provisional ? ' (provisional)' : ''}`,
              },
              {
                name: 'Saved (estimate)',
                align: 'right',
                of: ({ savedEstimate }) => (savedEstimate === undefined ? null : money(savedEstimate)),
              },
            ]}
          />
        )}
        <FormulaList formulas={formulasOf(report)} />
      </Stack>
    </Section>
  );
}
