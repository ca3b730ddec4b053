import { Alert } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiClient } from '../../../src/contract/contract.ts';
import { askedWakeText } from '../../../src/domain/wake/asked-wake-text.ts';
import { serverClock } from '../data/now.ts';
import type { Status } from '../data/queries.ts';
import { useAct } from '../data/use-act.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { dateTime, instantOf, localField } from '../parts/time-text.ts';
import { useClient } from '../session/session-context.tsx';
import { useToast } from '../shell/toast.tsx';
import { type ActName, type Availability, consequences } from './acts.ts';
import { ReasonField, reasonProblem } from './reason-field.tsx';
import { UntilField, untilProblem } from './until-field.tsx';

interface Props {
  readonly act: ActName;
  readonly status: Status;
  readonly availability: Availability;
  readonly onClose: () => void;
}

interface Words {
  readonly title: string;
  readonly confirm: string;
  readonly color?: 'error' | 'warning';
}

const words: Readonly<Record<ActName, Words>> = {
  wake: { title: 'Wake the cluster?', confirm: 'Wake Up Resources' },
  'keep-awake': { title: 'Keep the cluster awake?', confirm: 'Keep awake' },
  hibernate: { title: 'Hibernate the cluster now?', confirm: 'Trigger Manual Hibernation', color: 'warning' },
  resume: { title: 'Let the schedule decide again?', confirm: 'Resume Schedule' },
  'stand-down': { title: 'Stand the service down?', confirm: 'Stand down', color: 'error' },
  'end-stand-down': { title: 'End the stand-down?', confirm: 'End stand-down', color: 'warning' },
};

const hour = 3_600_000;
const usualWake = 4 * hour;

export function ActDialog({ act, status, availability, onClose }: Props) {
  const client = useClient();
  const cache = useQueryClient();
  const toast = useToast();
  const zone = status.timezone;
  const [usual] = useState(() => localField(serverClock.now() + usualWake, zone));
  const [until, setUntil] = useState(usual);
  const [reason, setReason] = useState('');
  const asksUntil = act === 'wake' || act === 'keep-awake';
  const run = useAct({
    close: onClose,
    send: (signal) =>
      perform(client, act, {
        until: until === usual ? undefined : instantOf(until, zone),
        reason,
        zone,
        dryRun: status.dryRun,
        signal,
      }),
    done: (said) => {
      toast(said);
      for (const key of ['status', 'schedule', 'audit', 'resources', 'preview'])
        void cache.invalidateQueries({ queryKey: [key] });
    },
  });
  const problem = asksUntil
    ? untilProblem(until, zone, serverClock.now())
    : act === 'stand-down'
      ? reasonProblem(reason)
      : undefined;
  return (
    <ConfirmDialog
      open
      {...words[act]}
      says={consequences(act, status)}
      act={run}
      disabled={problem !== undefined || !availability.enabled}
      onClose={onClose}
    >
      {availability.enabled || run.busy ? null : <Alert severity="warning">{availability.why}</Alert>}
      {asksUntil ? <UntilField value={until} zone={zone} problem={problem} onChange={setUntil} /> : null}
      {act === 'stand-down' ? <ReasonField value={reason} problem={problem} onChange={setReason} /> : null}
    </ConfirmDialog>
  );
}

interface Given {
  /** Undefined for the usual time from the server's now, which the browser's clock need not know. */
  readonly until: number | undefined;
  readonly reason: string;
  readonly zone: string;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** Does the act; what it answers is what the toast says. */
async function perform(client: ApiClient, act: ActName, given: Given): Promise<string> {
  const { until, reason, zone, dryRun, signal } = given;
  switch (act) {
    case 'wake':
    case 'keep-awake': {
      const { wakeOverride, renewal, keptEnd, awakeUntil } = await client.wakeUp({
        body: until === undefined ? { duration: '4h' } : { until: new Date(until).toISOString() },
        signal,
      });
      return askedWakeText(
        {
          dryRun,
          renewal,
          keptEnd,
          until: Date.parse(wakeOverride.until),
          awakeUntil: awakeUntil === undefined ? undefined : Date.parse(awakeUntil),
        },
        { time: (at) => `${dateTime(at, zone)} (${zone})`, howToSetTheEnd: 'name a time to set the end' },
      );
    }
    case 'hibernate':
      return (await client.triggerHibernation({ body: {}, signal })).message;
    case 'resume':
      return (await client.resumeSchedule({ signal })).message;
    case 'stand-down':
      await client.standDown({ body: reason.trim() === '' ? {} : { reason }, signal });
      return 'The service is stood down; everything is being handed back.';
    case 'end-stand-down': {
      const { standDown } = await client.endStandDown({ signal });
      return standDown === null
        ? 'The stand-down has ended; the schedule decides.'
        : 'The stand-down of the admin has ended; the configuration holds one still.';
    }
  }
}
