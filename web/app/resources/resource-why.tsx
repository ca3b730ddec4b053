import { Button, Dialog, DialogActions, DialogContent, DialogTitle, Stack, Typography } from '@mui/material';
import { useId } from 'react';
import { useWhy } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import type { Row } from './filters.ts';
import { countText } from './resource-table.tsx';

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
