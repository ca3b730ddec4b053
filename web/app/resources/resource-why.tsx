import { Button, Dialog, DialogActions, DialogContent, DialogTitle, Stack, Typography } from '@mui/material';
import { useId } from 'react';
import { useAudit, useTransition, useWhy } from '../data/queries.ts';
import { recentEntries } from '../overview/week-section.tsx';
import { Answer } from '../parts/answer.tsx';
import { Command } from '../parts/command.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { NavLink } from '../parts/nav-link.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { commandsFor } from './by-hand.ts';
import type { Row } from './filters.ts';
import { countText } from './resource-table.tsx';
import { verdictsOn } from './verdicts.ts';

interface Props {
  readonly row: Row;
  readonly zone: string;
  readonly onClose: () => void;
}

export function ResourceWhy({ row, zone, onClose }: Props) {
  const why = useWhy(row);
  const id = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id}>
      <DialogTitle id={id}>
        Why? {row.kind} {row.namespace}/{row.name}
      </DialogTitle>
      <DialogContent>
        <Answer of={why}>
          {({ sentences, recorded, skipped }) => {
            const facts: Fact[] = [
              ...(row.managed === undefined ? [] : [['Now / recorded', countText(row)] as const]),
              ...(recorded === null
                ? []
                : [['Recorded at', <ZonedTime key="at" at={recorded.at} zone={zone} />] as const]),
              ...(skipped === undefined ? [] : [['Left alone because', skipped.text] as const]),
            ];
            return (
              <Stack spacing={2}>
                <Stack spacing={0.75}>
                  {sentences.map((sentence) => (
                    <Typography key={sentence}>{sentence}</Typography>
                  ))}
                </Stack>
                <Facts facts={facts} />
                <Verdicts row={row} zone={zone} />
                <ByHand row={row} />
              </Stack>
            );
          }}
        </Answer>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}

/** What the wakes said of it: the reason that stands in the log, the audit, cards and mails. */
function Verdicts({ row, zone }: { row: Row; zone: string }) {
  const { data: shown } = useTransition();
  const { data: audit } = useAudit(recentEntries);
  const verdicts = verdictsOn(row, shown?.frame, audit?.entries ?? []);
  if (verdicts.length === 0) return null;
  return (
    <Stack spacing={0.75} data-testid="verdicts">
      <Typography variant="h3" component="h3">
        What the last wakes said of it
      </Typography>
      {verdicts.map(({ sentence, entry }) => (
        <Typography key={`${entry?.id} ${sentence}`}>
          {sentence} (
          {entry === undefined ? (
            <NavLink to="/wake">the wake that runs now</NavLink>
          ) : (
            <>
              <NavLink to={`/activity/${encodeURIComponent(entry.id)}`}>{entry.title}</NavLink>,{' '}
              <ZonedTime at={entry.at} zone={zone} />
            </>
          )}
          )
        </Typography>
      ))}
    </Stack>
  );
}

function ByHand({ row }: { row: Row }) {
  return (
    <Stack spacing={0.75}>
      <Typography variant="h3" component="h3">
        See for yourself
      </Typography>
      {commandsFor(row).map(({ answers, line }) => (
        <Stack key={line} spacing={0.25}>
          <Typography variant="body2" color="textSecondary">
            {answers}
          </Typography>
          <Command text={line} />
        </Stack>
      ))}
    </Stack>
  );
}
