import { Box, Button, LinearProgress, Paper, Stack, Typography } from '@mui/material';
import { type ComponentType, useState } from 'react';
import type { Polled, Status } from '../data/queries.ts';
import { MoonIcon, QuestionIcon, SettingIcon, StopIcon, SunIcon, WakingIcon, WarningIcon } from '../icons.tsx';
import { NavLink } from '../parts/nav-link.tsx';
import { counted } from '../parts/time-text.ts';
import { useUser } from '../session/session-context.tsx';
import { type Sign, signOf, signWords } from '../shell/status-sign.ts';
import { AsOf } from './as-of.tsx';
import { countParts } from './counts.ts';
import { cardColor } from './ending.ts';
import { EndingNote } from './unfinished-ending.tsx';
import { useEnding } from './use-ending.ts';
import { WhyDialog } from './why-dialog.tsx';

const icons: Readonly<Record<Sign, ComponentType<{ fontSize: 'large' }>>> = {
  awake: SunIcon,
  hibernated: MoonIcon,
  waking: WakingIcon,
  hibernating: SettingIcon,
  stopped: StopIcon,
  unknown: WarningIcon,
};

interface Props {
  readonly status: Status;
  /** How it was read, for how current it is. */
  readonly read: Polled<Status>;
  readonly withLink?: boolean;
}

/** The one sentence, with a sign, a word and a color; and the way to why it is so. */
export function StatusCard({ status, read, withLink = true }: Props) {
  const [why, setWhy] = useState(false);
  const sign = signOf(status);
  const ending = useEnding();
  const unfinished = ending.known === 'yes' ? ending.left : undefined;
  const admin = useUser()?.admin === true;
  const color = cardColor(sign, read.freshness, ending);
  const Icon = icons[sign];
  const { managed, up } = status.workloads;
  return (
    <Paper sx={{ p: { xs: 2, sm: 3 }, borderLeft: 6, borderLeftColor: color }}>
      <Stack direction="row" sx={{ gap: 2, alignItems: 'flex-start' }}>
        <Box sx={{ color, display: { xs: 'none', sm: 'block' }, pt: 0.5 }} aria-hidden>
          <Icon fontSize="large" />
        </Box>
        <Box sx={{ minWidth: 0, flex: 1 }}>
          <Typography variant="overline" component="p" sx={{ color, fontWeight: 700 }}>
            {signWords[sign]}
            {unfinished === undefined ? '' : `, ${counted(unfinished.failed.length, 'workload')} failed`}
          </Typography>
          <Typography
            sx={{ fontSize: { xs: '1.15rem', sm: '1.35rem' }, fontWeight: 600, lineHeight: 1.35 }}
            data-testid="status-sentence"
          >
            {status.sentence}
          </Typography>
          <AsOf read={read} zone={status.timezone} />
          <LinearProgress
            variant="determinate"
            value={managed === 0 ? 0 : (up / managed) * 100}
            aria-label={`${up} of ${managed} workloads up`}
            sx={{ mt: 2, height: 6, borderRadius: 3 }}
          />
          <Counts workloads={status.workloads} />
          <EndingNote ending={ending} zone={status.timezone} />
          <Stack direction="row" sx={{ mt: 1.5, gap: 1, flexWrap: 'wrap' }}>
            <Button size="small" startIcon={<QuestionIcon />} onClick={() => setWhy(true)}>
              Why?
            </Button>
            {withLink ? (
              <Button size="small" href="#/control">
                Manual Control
              </Button>
            ) : null}
            {withLink && admin && status.standDown === null ? (
              <Button size="small" color="error" startIcon={<StopIcon />} href="#/control?act=stand-down">
                Stand down …
              </Button>
            ) : null}
          </Stack>
        </Box>
      </Stack>
      <WhyDialog status={status} open={why} onClose={() => setWhy(false)} />
    </Paper>
  );
}

/** The count is the way to those that are not up; the rest says where they are. */
function Counts({ workloads }: Pick<Status, 'workloads'>) {
  const admin = useUser()?.admin === true;
  const [up, ...rest] = countParts(workloads);
  const allUp = workloads.up === workloads.managed;
  return (
    <Typography variant="body2" sx={{ mt: 1 }} data-testid="counts">
      {admin ? <NavLink to={allUp ? '/resources' : '/resources?state=not-up'}>{up}</NavLink> : up}
      {rest.map((part) => `, ${part}`)}
    </Typography>
  );
}
