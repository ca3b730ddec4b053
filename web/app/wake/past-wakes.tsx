import { Alert, Stack, Typography } from '@mui/material';
import { Picture } from '../charts/picture.tsx';
import { seriesOf } from '../charts/series.ts';
import { type StackedRow, StackedRows } from '../charts/stacked-rows.tsx';
import { useAudit } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { NavLink } from '../parts/nav-link.tsx';
import { Section } from '../parts/section.tsx';
import { spanText } from '../parts/time-text.ts';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { WorkloadSentence } from '../resources/workload-sentence.tsx';
import { transitionAddress } from './address.ts';
import { type Comparison, compareWakes, endsOfTransitions, type PastTransition, pastTransitions } from './past.ts';

/** What has been: the last wakes beside each other, and every transition of the log. */
export function PastWakes({ zone }: { zone: string }) {
  const audit = useAudit(endsOfTransitions);
  return (
    <Answer of={audit}>
      {({ entries }) => {
        const all = pastTransitions(entries);
        return (
          <Stack spacing={3}>
            <ComparedWakes comparison={compareWakes(all)} zone={zone} />
            <Section title="Past transitions">
              {all.length === 0 ? (
                <Empty title="Nothing has ended yet">
                  Each wake and hibernation has its own page here once it is over.
                </Empty>
              ) : (
                <TransitionTable all={all.slice(0, shownTransitions)} zone={zone} />
              )}
            </Section>
          </Stack>
        );
      }}
    </Answer>
  );
}

const shownTransitions = 60;

function ComparedWakes({ comparison, zone }: { comparison: Comparison; zone: string }) {
  const { wakes, tiers, slowest, slower } = comparison;
  if (wakes.length === 0) return null;
  return (
    <Section title="The last wakes compared" note="How long each tier took. Wakes of single resources are left out.">
      <Stack spacing={2} data-testid="compared">
        {slower.map(({ tier, ms, usualMs, heldBy }) => (
          <Alert key={tier} severity="warning">
            Tier {tier} got slower: {spanText(ms)} in the last wake, usually {spanText(usualMs)}.
            {heldBy === undefined ? null : (
              <>
                {' '}
                Held longest by <WorkloadSentence text={heldBy} />.
              </>
            )}
          </Alert>
        ))}
        <Picture
          picture={
            <StackedRows
              label="Wakes by tier"
              scale="all"
              series={seriesOf(tiers)}
              rows={wakes.map((wake) => rowOf(wake, zone))}
            />
          }
          table={<TierTable wakes={wakes} tiers={tiers} zone={zone} />}
        />
        {slowest.length === 0 ? null : (
          <Typography variant="body2" component="div">
            Held the longest tier most often:{' '}
            {slowest.slice(0, 3).map(({ name, times, longestMs }, index) => (
              <span key={name}>
                {index === 0 ? '' : '; '}
                <WorkloadSentence text={name} /> ({times} of {wakes.length}, {spanText(longestMs)} at most)
              </span>
            ))}
          </Typography>
        )}
      </Stack>
    </Section>
  );
}

function rowOf({ entry, ms, tiers }: PastTransition, zone: string): StackedRow {
  return {
    key: entry.id,
    label: (
      <NavLink to={transitionAddress(entry.id)}>
        <ZonedTime at={entry.at} zone={zone} />
      </NavLink>
    ),
    text: spanText(ms),
    parts: new Map(tiers.map(({ tier, ms: took }) => [tier, took])),
  };
}

function TierTable({ wakes, tiers, zone }: Pick<Comparison, 'wakes' | 'tiers'> & { zone: string }) {
  return (
    <DataTable
      label="Wakes by tier"
      rows={wakes}
      keyOf={({ entry }) => entry.id}
      columns={[
        {
          name: 'Ended',
          of: ({ entry }) => (
            <NavLink to={transitionAddress(entry.id)}>
              <ZonedTime at={entry.at} zone={zone} />
            </NavLink>
          ),
        },
        ...tiers.map((name) => ({
          name,
          align: 'right' as const,
          of: ({ tiers: of }: PastTransition) => {
            const ms = of.find(({ tier }) => tier === name)?.ms;
            return ms === undefined ? null : spanText(ms);
          },
        })),
        { name: 'Whole wake', align: 'right', of: ({ ms }) => spanText(ms) },
      ]}
    />
  );
}

function TransitionTable({ all, zone }: { all: readonly PastTransition[]; zone: string }) {
  return (
    <DataTable
      label="Past transitions"
      rows={all}
      keyOf={({ entry }) => entry.id}
      maxHeight={480}
      columns={[
        { name: 'Ended', of: ({ entry }) => <ZonedTime at={entry.at} zone={zone} /> },
        { name: 'What', of: ({ entry }) => <NavLink to={transitionAddress(entry.id)}>{entry.title}</NavLink> },
        { name: 'By', of: ({ entry }) => entry.actor },
        { name: 'Took', align: 'right', of: ({ ms }) => spanText(ms) },
        { name: 'Result', of: ({ entry }) => entry.result ?? null },
      ]}
    />
  );
}
