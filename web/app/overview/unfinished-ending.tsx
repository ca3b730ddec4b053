import { Alert, AlertTitle, Stack, Typography } from '@mui/material';
import { NavLink } from '../parts/nav-link.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { RetryInPlace } from '../resources/retry-workload.tsx';
import { beginsWith } from '../resources/workload-name.ts';
import { WorkloadSentence } from '../resources/workload-sentence.tsx';
import { transitionAddress } from '../wake/address.ts';
import type { Ending } from './ending.ts';
import type { Unfinished } from './unfinished.ts';

/** A wake of the workload that a sentence begins with. */
function Again({ sentence }: { sentence: string }) {
  const found = beginsWith(sentence);
  return found === undefined ? null : <RetryInPlace workload={found.workload} />;
}

/** What the card says of it: nothing only where it is known to have ended well. */
export function EndingNote({ ending, zone }: { ending: Ending; zone: string }) {
  if (ending.known === 'reading') {
    return (
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        How the last wake ended is being read.
      </Typography>
    );
  }
  if (ending.known === 'no') {
    return (
      <Alert severity="warning" sx={{ mt: 2 }} data-testid="ending-unknown">
        How the last wake ended is not known: the log cannot be read. This page tries again by itself.
      </Alert>
    );
  }
  return ending.left === undefined ? null : <UnfinishedEnding of={ending.left} checked={ending.checked} zone={zone} />;
}

interface UnfinishedProps {
  readonly of: Unfinished;
  readonly checked: boolean;
  readonly zone: string;
}

/** Stays on the card until every workload it names has been seen to. */
function UnfinishedEnding({ of: { entry, failed, until }, checked, zone }: UnfinishedProps) {
  return (
    <Alert severity="error" sx={{ mt: 2, '& .MuiAlert-message': { minWidth: 0, flex: 1 } }} data-testid="unfinished">
      <AlertTitle>
        <NavLink to={`/activity/${encodeURIComponent(entry.id)}`} color="inherit">
          {entry.title}
        </NavLink>
      </AlertTitle>
      <Stack component="ul" spacing={0.5} sx={{ m: 0, pl: 2.5 }}>
        {failed.map((sentence) => (
          <li key={sentence}>
            <WorkloadSentence text={sentence} /> <Again sentence={sentence} />
          </li>
        ))}
      </Stack>
      <Typography variant="body2" sx={{ mt: 1 }}>
        Ended at <ZonedTime at={entry.at} zone={zone} />. This stays until all of them are {until}.{' '}
        {checked ? '' : 'Which of them are by now is not known: the workloads cannot be read. '}
        <NavLink to={transitionAddress(entry.id)} color="inherit">
          The whole transition
        </NavLink>
        {' · '}
        <NavLink to="/notifications" color="inherit">
          Who was told
        </NavLink>
      </Typography>
    </Alert>
  );
}
