import { Alert, Button, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type AnswerOf, ApiError } from '../../../src/contract/contract.ts';
import { errorText } from '../parts/problem.tsx';
import { useClient } from '../session/session-context.tsx';

/** Asks whether the address answers, as often as the API wants to be asked, and then goes back there: once. */
export function Return({ url, host }: { url: string; host: string }) {
  const client = useClient();
  const check = useQuery<AnswerOf<'urlReadiness'>>({
    queryKey: ['url-readiness', url],
    queryFn: ({ signal }) => client.urlReadiness({ query: { url }, signal }),
    refetchInterval: ({ state }) => {
      if (state.data?.ready) return false;
      if (isFinal(state.error)) return false;
      return Math.max(1, state.data?.retryAfterSeconds ?? 5) * 1000;
    },
    staleTime: 0,
  });
  const ready = check.data?.ready === true;
  useEffect(() => {
    if (ready) location.replace(url);
  }, [ready, url]);
  if (isFinal(check.error)) return <ByHand url={url} host={host} />;
  if (check.error !== null) {
    return (
      <Stack spacing={1.5} sx={{ alignItems: 'flex-start' }}>
        <Alert severity="warning">{errorText(check.error)}</Alert>
        <ByHand url={url} host={host} />
      </Stack>
    );
  }
  return (
    <Stack spacing={1.5} sx={{ alignItems: 'flex-start' }} role="status" data-testid="return">
      <Typography>
        {ready
          ? `${host} answers. You are being taken back.`
          : `You are taken back to ${host} as soon as it answers: ${check.data?.successes ?? 0} of ${check.data?.needed ?? 1} checks in a row so far.`}
      </Typography>
      <Button href={url} rel="noreferrer">
        Go there now
      </Button>
    </Stack>
  );
}

/** Asking again does not help: nothing is checked here, or not for this person. */
function isFinal(error: Error | null): boolean {
  return error instanceof ApiError && (error.code === 'feature_disabled' || error.code === 'forbidden');
}

/** Without a check, an automatic return could lead straight back here, for ever. */
function ByHand({ url, host }: { url: string; host: string }) {
  return (
    <Stack spacing={1} sx={{ alignItems: 'flex-start' }}>
      <Typography>Nothing is checked for you here, so try it yourself once the cluster is up.</Typography>
      <Button variant="outlined" href={url} rel="noreferrer">
        Go to {host}
      </Button>
    </Stack>
  );
}
