import { Box, Button, Paper, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import type { InsightsReport } from '../../../src/domain/insight/report.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Section } from '../parts/section.tsx';
import { FormulaList } from './formula-list.tsx';
import { type Figure, formulasOf, numberText, ofPlanned } from './report.ts';

type Report = Readonly<Record<string, unknown>>;

/** Hours asleep, core-hours, energy and CO2e, beside what the schedule alone would have saved. */
export function SavingsView({ report }: { report: Report }) {
  const { totals, asleepHours, plannedAsleepHours, namespaces, from, to, timezone } = report as Partial<InsightsReport>;
  if (totals === undefined) return <Empty title="The report cannot be read by this release" />;
  const { saved, planned } = totals;
  const figures: readonly Figure[] = [
    {
      name: 'Hours asleep',
      value: ofPlanned(asleepHours ?? 0, plannedAsleepHours ?? 0),
    },
    { name: 'Core-hours saved', value: ofPlanned(saved.coreHours, planned.coreHours) },
    { name: 'Memory saved', value: `${numberText(saved.memoryGBHours)} GB-hours` },
    { name: 'Energy saved (estimate)', value: `${numberText(saved.energyKWh)} kWh` },
    { name: 'CO2e avoided (estimate)', value: `${numberText(saved.co2eGrams / 1000)} kg` },
  ];
  return (
    <Section
      title="Savings"
      note={from && to ? `From ${from} to ${to}, days of ${timezone ?? 'UTC'}` : 'No day has been counted yet'}
    >
      <Stack spacing={2}>
        <FigureCards figures={figures} />
        <FormulaList formulas={formulasOf(report)} />
        <SavedTable rows={(namespaces ?? []).map((one) => ({ name: one.namespace, ...one.saved }))} />
      </Stack>
    </Section>
  );
}

interface SavedRow {
  readonly name: string;
  readonly coreHours: number;
  readonly energyKWh: number;
  readonly co2eGrams: number;
}

const few = 50;

/** The largest; the others, which may be thousands, when somebody asks. */
function SavedTable({ rows }: { rows: readonly SavedRow[] }) {
  const [all, setAll] = useState(false);
  if (rows.length === 0) return null;
  return (
    <Box>
      <DataTable
        label="Saved by namespace"
        rows={all ? rows : rows.slice(0, few)}
        keyOf={({ name }) => name}
        maxHeight={360}
        columns={[
          { name: 'Namespace', of: ({ name }) => name },
          { name: 'Core-hours', align: 'right', of: ({ coreHours }) => numberText(coreHours) },
          { name: 'kWh', align: 'right', of: ({ energyKWh }) => numberText(energyKWh) },
          { name: 'CO2e, kg', align: 'right', of: ({ co2eGrams }) => numberText(co2eGrams / 1000) },
        ]}
      />
      {rows.length > few ? (
        <Button size="small" color="inherit" onClick={() => setAll(!all)}>
          {all ? `Show the ${few} largest` : `Show all ${rows.length.toLocaleString('en-GB')}`}
        </Button>
      ) : null}
    </Box>
  );
}

export function FigureCards({ figures }: { figures: readonly Figure[] }) {
  return (
    <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 200px), 1fr))' }}>
      {figures.map(({ name, value }) => (
        <Paper key={name} sx={{ p: 2 }}>
          <Typography variant="body2" color="textSecondary">
            {name}
          </Typography>
          <Typography sx={{ fontSize: '1.25rem', fontWeight: 650 }}>{value}</Typography>
        </Paper>
      ))}
    </Box>
  );
}
