import { Alert, AlertTitle, Stack, Typography } from '@mui/material';
import { useAudit, useResources } from '../data/queries.ts';
import { NavLink } from '../parts/nav-link.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { RetryInPlace } from '../resources/retry-workload.tsx';
import { beginsWith } from '../resources/workload-name.ts';
import { WorkloadSentence } from '../resources/workload-sentence.tsx';
import { useUser } from '../session/session-context.tsx';
import { transitionAddress } from '../wake/address.ts';
import { lastCasualties, type Unfinished, unfinishedOf } from './unfinished.ts';
import { recentEntries } from './week-section.tsx';

/** What the last wake or hibernation left undone; undefined when nothing, and for who may not read the log. */
export function useUnfinished(): Unfinished | undefined {
  const admin = useUser()?.admin === true;
  const audit = useAudit(recentEntries, admin);
  const entry = lastCasualties(audit.data?.entries ?? []);
  const resources = useResources(entry !== undefined);
  return entry === undefined || resources.data === undefined ? undefined : unfinishedOf(entry, resources.data);
}

/** A wake of the workload that a sentence begins with. */
function Again({ sentence }: { sentence: string }) {
  const found = beginsWith(sentence);
  return found === undefined ? null : <RetryInPlace workload={found.workload} />;
}

/** Stays on the card until every workload it names has been seen to. */
export function UnfinishedEnding({ of: { entry, failed }, zone }: { of: Unfinished; zone: string }) {
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
        Ended at <ZonedTime at={entry.at} zone={zone} />. This stays until all of them are{' '}
        {entry.kind.startsWith('wake') ? 'up' : 'asleep'}.{' '}
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
