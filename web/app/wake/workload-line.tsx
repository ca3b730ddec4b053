import { Box, Chip, Stack, Typography } from '@mui/material';
import type { ComponentType } from 'react';
import type { WorkloadProgress } from '../data/transition.ts';
import { CheckIcon, ClockIcon, CrossIcon, RefreshIcon } from '../icons.tsx';
import { spanText } from '../parts/time-text.ts';
import { WorkloadSentence } from '../resources/workload-sentence.tsx';

interface Look {
  readonly word: string;
  readonly color: string;
  readonly icon: ComponentType<{ fontSize: 'small' }>;
}

const looks: Readonly<Record<WorkloadProgress['phase'], Look>> = {
  failed: { word: 'Failed', color: 'error.main', icon: CrossIcon },
  recovered: { word: 'Recovered', color: 'success.main', icon: RefreshIcon },
  starting: { word: 'Starting', color: 'warning.main', icon: ClockIcon },
  cluster: { word: 'Cluster', color: 'warning.main', icon: ClockIcon },
  still_starting: { word: 'Still starting', color: 'info.main', icon: ClockIcon },
  waiting: { word: 'Waiting', color: 'text.secondary', icon: ClockIcon },
  up: { word: 'Up', color: 'success.main', icon: CheckIcon },
  left: { word: 'Left', color: 'text.secondary', icon: CrossIcon },
};

export function WorkloadLine({ workload, now }: { workload: WorkloadProgress; now: number }) {
  const { word, color, icon: Icon } = looks[workload.phase];
  const left = workload.until === undefined ? undefined : workload.until - now;
  return (
    <Stack component="li" direction="row" spacing={1.25} sx={{ alignItems: 'flex-start' }} data-phase={workload.phase}>
      <Box sx={{ color, display: 'flex', pt: '2px' }} aria-hidden>
        <Icon fontSize="small" />
      </Box>
      <Typography
        variant="body2"
        sx={{ flex: 1, minWidth: 0, color: workload.phase === 'recovered' ? 'success.main' : 'text.primary' }}
      >
        <WorkloadSentence text={workload.sentence} />
        {left !== undefined && left > 0 ? (
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {' '}
            ({spanText(left)} left)
          </Box>
        ) : null}
      </Typography>
      <Chip size="small" variant="outlined" label={word} sx={{ color, borderColor: 'currentcolor' }} />
    </Stack>
  );
}
