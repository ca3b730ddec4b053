import { Button } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAct } from '../data/use-act.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { useClient } from '../session/session-context.tsx';
import { useToast } from '../shell/toast.tsx';

export function RemoveOverride({ date }: { date: string }) {
  const client = useClient();
  const cache = useQueryClient();
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const remove = useAct({
    close: () => setOpen(false),
    send: (signal) => client.removeScheduleOverride({ params: { date }, signal }),
    done: () => {
      void cache.invalidateQueries({ queryKey: ['schedule'] });
      void cache.invalidateQueries({ queryKey: ['status'] });
      toast(`${date} has the hours of its weekday again.`);
    },
  });
  return (
    <>
      <Button size="small" color="error" onClick={() => setOpen(true)}>
        Remove
      </Button>
      <ConfirmDialog
        open={open}
        title={`Remove the hours of ${date}?`}
        says={[`${date} gets the hours of its weekday again, or its holiday.`]}
        confirm="Remove"
        color="error"
        act={remove}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
