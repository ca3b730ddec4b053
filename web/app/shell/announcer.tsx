import { Box } from '@mui/material';
import { useState } from 'react';
import type { Polled, Status } from '../data/queries.ts';
import { useEnding } from '../overview/use-ending.ts';
import { announcementOf } from './announcement.ts';

const hidden = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clip: 'rect(0 0 0 0)',
  whiteSpace: 'nowrap',
} as const;

/** Says changes of the state to screen readers. It is always there: a region that comes with its text is not heard. */
export function Announcer({ status }: { status: Polled<Status> }) {
  const known = status.error === null ? status.data : undefined;
  const { key, text } = announcementOf(known, status.freshness, useEnding());
  const [said, setSaid] = useState({ key, text: '' });
  // Reading the first answer is no change, and the page itself says it.
  const first = said.key === 'unknown' && said.text === '';
  if (said.key !== key) setSaid({ key, text: first ? '' : text });
  return (
    <Box role="status" aria-live="polite" sx={hidden} data-testid="announcer">
      {said.text}
    </Box>
  );
}
