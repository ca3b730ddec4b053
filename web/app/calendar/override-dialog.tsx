import { Stack, TextField, Typography } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { parseDay } from '../../../src/domain/schedule/parse-day.ts';
import { ReasonField, reasonProblem } from '../control/reason-field.tsx';
import type { Schedule } from '../data/queries.ts';
import { useAct } from '../data/use-act.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { useClient } from '../session/session-context.tsx';
import { useToast } from '../shell/toast.tsx';

interface Props {
  readonly date: string;
  readonly schedule: Schedule;
  readonly onClose: () => void;
}

/** Other hours for one date; what is typed is checked by the code that the API uses. */
export function OverrideDialog({ date: given, schedule, onClose }: Props) {
  const client = useClient();
  const cache = useQueryClient();
  const toast = useToast();
  const known = schedule.plan.days.find((day) => day.date === given);
  const [date, setDate] = useState(given);
  const [hours, setHours] = useState(known?.hours ?? '08:00-20:00');
  const [reason, setReason] = useState(schedule.overrides.find((one) => one.date === given)?.reason ?? '');
  const day = schedule.plan.days.find((one) => one.date === date);
  const parsed = parseDay(hours.trim());
  const wrongReason = reasonProblem(reason);
  const save = useAct({
    close: onClose,
    send: (signal) =>
      client.setScheduleOverride({
        params: { date },
        body: { hours: hours.trim(), ...(reason.trim() === '' ? {} : { reason }) },
        signal,
      }),
    done: ({ override }) => {
      void cache.invalidateQueries({ queryKey: ['schedule'] });
      void cache.invalidateQueries({ queryKey: ['status'] });
      toast(`${override.date} has the hours ${override.hours} (${schedule.plan.timezone}).`);
    },
  });
  const says = [
    day === undefined
      ? 'On the date below the cluster is awake in these hours and asleep in all others.'
      : `On ${date} the hours change from ${day.hours} (${day.label}) to the ones below; every other date stays as it is.`,
  ];
  return (
    <ConfirmDialog
      open
      title="Set other hours for a date"
      says={says}
      confirm="Set these hours"
      act={save}
      disabled={!parsed.ok || wrongReason !== undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date)}
      onClose={onClose}
    >
      <Stack spacing={2}>
        <TextField
          label="Date"
          type="date"
          value={date}
          onChange={(event) => setDate(event.target.value)}
          slotProps={{ inputLabel: { shrink: true } }}
        />
        <TextField
          label={`Hours (${schedule.plan.timezone})`}
          value={hours}
          onChange={(event) => setHours(event.target.value)}
          error={!parsed.ok}
          helperText={parsed.ok ? 'on, off, or ranges such as 08:00-12:00,13:00-20:00' : parsed.message}
        />
        <ReasonField value={reason} problem={wrongReason} onChange={setReason} />
        <Typography variant="body2" color="textSecondary">
          The calendar shows the next days as they follow from it.
        </Typography>
      </Stack>
    </ConfirmDialog>
  );
}
