import { Alert, Stack, Table, TableBody, TableCell, TableContainer, TableHead, TableRow } from '@mui/material';
import type { CostReport } from '../../../src/domain/cost/report.ts';
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
          <TableContainer tabIndex={0} sx={{ maxHeight: 420 }}>
            <Table size="small" stickyHeader>
              <TableHead>
                <TableRow>
                  <TableCell>Day (UTC)</TableCell>
                  <TableCell align="right">Billed</TableCell>
                  <TableCell align="right">Saved (estimate)</TableCell>
                </TableRow>
              </TableHead>
              <TableBody>
                {days.map((day) => (
                  <TableRow key={day.date}>
                    <TableCell>{day.date}</TableCell>
                    <TableCell align="right">
                      {money(day.billed)}
                      {day.provisional ? ' (provisional)' : ''}
                    </TableCell>
                    <TableCell align="right">
                      {day.savedEstimate === undefined ? '' : money(day.savedEstimate)}
                    </TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          </TableContainer>
        )}
        <FormulaList formulas={formulasOf(report)} />
      </Stack>
    </Section>
  );
}
