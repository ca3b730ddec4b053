import { Alert, Button, Stack, Typography } from '@mui/material';
import { useId } from 'react';
import type { Status } from '../data/queries.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Section } from '../parts/section.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import type { ActName, Availability } from './acts.ts';

interface Props {
  readonly status: Status | undefined;
  readonly admin: boolean;
  readonly availability: Availability;
  readonly onAsk: (act: ActName) => void;
}

/** The emergency stop: who pulled it, whether the handback runs, and how it ends. */
export function StandDownCard({ status, admin, availability, onAsk }: Props) {
  const standDown = status?.standDown ?? null;
  return (
    <Section title="Stand-down">
      {standDown === null || status === undefined ? (
        <NotStoodDown availability={availability} onAsk={onAsk} />
      ) : (
        <StoodDown
          standDown={standDown}
          zone={status.timezone}
          admin={admin}
          onAsk={onAsk}
          availability={availability}
        />
      )}
    </Section>
  );
}

function NotStoodDown({ availability, onAsk }: Pick<Props, 'availability' | 'onAsk'>) {
  const id = useId();
  return (
    <Stack spacing={1.5} sx={{ alignItems: 'flex-start' }}>
      <Typography color="textSecondary">
        An emergency stop for the whole cluster: everything that was scaled down is handed back, then nothing is scaled.
        Use it when the service touches what it must leave alone, when an incident needs everything up, and before an
        uninstall.
      </Typography>
      <Button
        variant="contained"
        color="error"
        disabled={!availability.enabled}
        onClick={() => onAsk('stand-down')}
        aria-describedby={availability.enabled ? undefined : id}
      >
        Stand down
      </Button>
      {availability.enabled ? null : (
        <Typography variant="body2" color="textSecondary" id={id}>
          {availability.why}
        </Typography>
      )}
    </Stack>
  );
}

interface StoodDownProps {
  readonly standDown: NonNullable<Status['standDown']>;
  readonly zone: string;
  readonly admin: boolean;
  readonly availability: Availability;
  readonly onAsk: (act: ActName) => void;
}

function StoodDown({ standDown, zone, admin, availability, onAsk }: StoodDownProps) {
  const { source, actor, at, reason, configuration, handbackDone } = standDown;
  const facts: Fact[] = [
    ['Stood down by', <strong key="actor">{actor}</strong>],
    ['Since', <ZonedTime key="at" at={at} zone={zone} />],
    ...(reason === undefined ? [] : [['Reason', reason] as const]),
    [
      'Handback',
      handbackDone
        ? 'Finished: everything that was scaled down is back.'
        : 'Running: what was scaled down is being brought back. A step that fails is tried again on every pass.',
    ],
  ];
  return (
    <Stack spacing={2} sx={{ alignItems: 'flex-start' }} data-testid="stand-down">
      <Facts facts={facts} />
      {configuration ? (
        <Alert severity="info" sx={{ width: '100%' }}>
          The configuration holds a stand-down. It ends when <code>config.global.enabled</code> is set to{' '}
          <code>true</code>; no button here can end it.
        </Alert>
      ) : null}
      {source === 'admin' ? (
        <>
          <Button variant="contained" color="warning" disabled={!admin} onClick={() => onAsk('end-stand-down')}>
            End stand-down
          </Button>
          {admin ? null : <Typography color="textSecondary">Only an admin may do this.</Typography>}
        </>
      ) : (
        <Button variant="outlined" color="error" disabled={!availability.enabled} onClick={() => onAsk('stand-down')}>
          Stand down as an admin too
        </Button>
      )}
    </Stack>
  );
}
