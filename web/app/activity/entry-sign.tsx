import { Box } from '@mui/material';
import type { ReactNode } from 'react';
import type { AuditEntry } from '../data/queries.ts';
import { CheckIcon, CrossIcon, ListIcon, StopIcon } from '../icons.tsx';

/** A shape and a color for how an act ended. */
export function EntrySign({ entry }: { entry: Pick<AuditEntry, 'result' | 'kind' | 'completeness'> }) {
  if (entry.kind === 'stand-down')
    return <Sign color="error.main" icon={<StopIcon fontSize="small" />} label="Stand-down" />;
  if (entry.result === 'failed')
    return <Sign color="error.main" icon={<CrossIcon fontSize="small" />} label="Failed" />;
  if (entry.result === 'incomplete')
    return <Sign color="warning.main" icon={<ListIcon fontSize="small" />} label="Incomplete" />;
  if (entry.result === 'success')
    return <Sign color="success.main" icon={<CheckIcon fontSize="small" />} label="Success" />;
  return <Sign color="text.secondary" icon={<ListIcon fontSize="small" />} label="Entry" />;
}

function Sign({ color, icon, label }: { color: string; icon: ReactNode; label: string }) {
  return (
    <Box role="img" aria-label={label} sx={{ color, display: 'flex', pt: 0.5 }}>
      {icon}
    </Box>
  );
}
