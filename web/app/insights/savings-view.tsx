import { Box, Paper, Stack, Typography } from '@mui/material';
import { Section } from '../parts/section.tsx';
import { FormulaList } from './formula-list.tsx';
import { figuresOf, formulasOf } from './report.ts';

type Report = Readonly<Record<string, unknown>>;

export function SavingsView({ report }: { report: Report }) {
  return (
    <Section title="Savings">
      <Stack spacing={2}>
        <FigureCards figures={figuresOf(report)} />
        <FormulaList formulas={formulasOf(report)} />
      </Stack>
    </Section>
  );
}

export function FigureCards({ figures }: { figures: readonly { readonly name: string; readonly value: string }[] }) {
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
