import { Box } from '@mui/material';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Status, useStatus } from '../data/queries.ts';
import { useHashSearch } from '../hash-location.ts';
import { StatusCard } from '../overview/status-card.tsx';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { useUser } from '../session/session-context.tsx';
import { ActCard } from './act-card.tsx';
import { ActDialog } from './act-dialog.tsx';
import { type ActName, type Availability, availability } from './acts.ts';
import { StandDownCard } from './stand-down-card.tsx';

const acts: readonly {
  readonly act: ActName;
  readonly title: string;
  readonly text: string;
  readonly button: string;
}[] = [
  {
    act: 'wake',
    title: 'Wake now',
    text: 'Brings everything back, whatever the schedule says.',
    button: 'Wake Up Resources',
  },
  { act: 'keep-awake', title: 'Keep awake', text: 'For a late release or a long test.', button: 'Keep awake until …' },
  {
    act: 'hibernate',
    title: 'Hibernate now',
    text: 'Puts the cluster to sleep before its time.',
    button: 'Trigger Manual Hibernation',
  },
  {
    act: 'resume',
    title: 'Back to the schedule',
    text: 'Ends a wake or a hibernation that somebody asked for.',
    button: 'Resume Schedule',
  },
];

const names: ReadonlySet<string> = new Set([
  'wake',
  'keep-awake',
  'hibernate',
  'resume',
  'stand-down',
  'end-stand-down',
]);

export function ControlPage() {
  const status = useStatus();
  const user = useUser();
  const [path, navigate] = useLocation();
  const asked = new URLSearchParams(useHashSearch()).get('act');
  // What cannot be read now is not known, whatever was read before.
  const known = status.error === null ? status.data : undefined;
  const situation = { status: known, admin: user?.admin === true };
  const open = asked !== null && names.has(asked) ? (asked as ActName) : undefined;
  const ask = (act: ActName) => navigate(`${path}?act=${act}`);
  const close = () => navigate(path, { replace: true });
  return (
    <Page title="Manual Control" lead="Each act says what will change before anything does.">
      <Answer of={status} lines={2}>
        {(value) => <StatusCard status={value} read={status} withLink={false} />}
      </Answer>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        {acts.map(({ act, ...words }) => (
          <ActCard key={act} {...words} availability={availability(act, situation)} onAsk={() => ask(act)} />
        ))}
      </Box>
      <StandDownCard
        status={known}
        admin={situation.admin}
        availability={availability('stand-down', situation)}
        onAsk={ask}
      />
      {open === undefined ? null : (
        <AskedAct key={open} act={open} status={known} availability={availability(open, situation)} onClose={close} />
      )}
    </Page>
  );
}

interface AskedProps {
  readonly act: ActName;
  readonly status: Status | undefined;
  readonly availability: Availability;
  readonly onClose: () => void;
}

/** Opens only for what can be done. One that is open stays, and says why it can no longer be confirmed. */
function AskedAct({ act, status, availability: can, onClose }: AskedProps) {
  const [asked, setAsked] = useState<Status>();
  if (asked === undefined && status !== undefined && can.enabled) setAsked(status);
  if (asked === undefined) return null;
  return <ActDialog act={act} status={status ?? asked} availability={can} onClose={onClose} />;
}
