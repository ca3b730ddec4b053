import { Alert, Stack, ToggleButton, ToggleButtonGroup, Typography } from '@mui/material';
import { useState } from 'react';
import { Columns } from '../charts/columns.tsx';
import { Legend } from '../charts/legend.tsx';
import { Picture } from '../charts/picture.tsx';
import type { Series } from '../charts/series.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Section } from '../parts/section.tsx';
import { byWeek, type Column, dayText, type Measure, type MeasureName, shortDay } from './columns.ts';
import { numberText } from './report.ts';

interface Props {
  readonly title: string;
  readonly note: string;
  readonly measures: readonly Measure[];
  /** The figures are of days to come: no measurement. */
  readonly projected?: boolean;
}

/** One measure at a time, by day or by week, as a picture or as a table. */
export function MeasureSection({ title, note, measures, projected = false }: Props) {
  const known = measures.filter(({ days }) => days.length > 0);
  const [chosen, setChosen] = useState<MeasureName>('asleep');
  const [by, setBy] = useState<'day' | 'week'>('day');
  const measure = known.find(({ name }) => name === chosen) ?? known[0];
  return (
    <Section title={title} note={note}>
      {measure === undefined ? (
        <Empty title="No day has been counted yet" />
      ) : (
        <Stack spacing={2}>
          {projected ? (
            <Alert severity="info">
              A projection: what the schedule would save with what the workloads ask for now, by the same formulas.
              Nothing of it has been measured.
            </Alert>
          ) : null}
          <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
            <ToggleButtonGroup
              size="small"
              exclusive
              value={measure.name}
              onChange={(_, name: MeasureName | null) => name !== null && setChosen(name)}
              aria-label="Measure"
              sx={onSeveralLines}
            >
              {known.map((one) => (
                <ToggleButton key={one.name} value={one.name}>
                  {one.title}
                </ToggleButton>
              ))}
            </ToggleButtonGroup>
            {projected ? null : (
              <ToggleButtonGroup
                size="small"
                exclusive
                value={by}
                onChange={(_, span: 'day' | 'week' | null) => span !== null && setBy(span)}
                aria-label="By day or by week"
              >
                <ToggleButton value="day">By day</ToggleButton>
                <ToggleButton value="week">By week</ToggleButton>
              </ToggleButtonGroup>
            )}
          </Stack>
          <MeasureView measure={measure} by={by} projected={projected} />
        </Stack>
      )}
    </Section>
  );
}

/** On a phone the buttons take more than one line, where each needs an edge of its own. */
const onSeveralLines = {
  flexWrap: 'wrap',
  gap: 0.5,
  '&& .MuiToggleButton-root': { ml: 0, border: '1px solid', borderColor: 'divider', borderRadius: 1 },
} as const;

const drawn: readonly [Pick<Series, 'color' | 'pattern'>, Pick<Series, 'color' | 'pattern'>] = [
  { color: 'var(--mui-palette-primary-main)', pattern: 'solid' },
  { color: 'var(--mui-palette-text-secondary)', pattern: 'hatched' },
];

function MeasureView({ measure, by, projected }: { measure: Measure; by: 'day' | 'week'; projected: boolean }) {
  const columns = by === 'day' ? measure.days : byWeek(measure.days);
  const amount = (value: number) => `${numberText(value)} ${measure.unit}`.trim();
  // Of days to come there is a plan and nothing else.
  const shown = projected ? [1] : [0, 1];
  const names = shown.map((index) => (projected ? 'Projected' : measure.series[index as 0 | 1]));
  const series = shown.map((index, place) => ({ name: names[place]!, ...drawn[index as 0 | 1] }));
  const of = ({ values }: Column) => shown.map((index) => values[index as 0 | 1]);
  const totals = shown.map((index) => columns.reduce((sum, { values }) => sum + values[index as 0 | 1], 0));
  const words = totals.map((total, place) => `${names[place]} ${amount(total)}`).join(', ');
  const day = (date: string) => (by === 'day' ? dayText(date) : `Week of ${dayText(date)}`);
  return (
    <Stack spacing={1.5} data-testid="measure">
      <Typography sx={{ fontWeight: 600 }}>
        {measure.title}: {words}
      </Typography>
      <Picture
        picture={
          <Stack spacing={1}>
            <Legend series={series} />
            <Columns
              says={`${measure.title} by ${by}, ${columns.length} in all. ${words}. The table has every figure.`}
              series={series}
              tick={numberText}
              columns={columns.map((column) => ({
                key: column.date,
                label: shortDay(column.date),
                text: `${day(column.date)}: ${of(column)
                  .map((value, place) => `${names[place]} ${amount(value)}`)
                  .join(', ')}`,
                values: of(column),
              }))}
            />
          </Stack>
        }
        table={
          <DataTable
            label={`${measure.title} by ${by}`}
            rows={columns}
            keyOf={({ date }) => date}
            maxHeight={420}
            columns={[
              { name: by === 'day' ? 'Day' : 'Week', of: ({ date }) => day(date) },
              ...shown.map((_, place) => ({
                name: `${names[place]}${measure.unit === '' ? '' : `, ${measure.unit}`}`,
                align: 'right' as const,
                of: (column: Column) => numberText(of(column)[place] ?? 0),
              })),
            ]}
          />
        }
      />
    </Stack>
  );
}
