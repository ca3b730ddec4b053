import { Alert, Box, Button, LinearProgress, Paper, Stack, Typography } from '@mui/material';
import { useEffect, useState } from 'react';
import { usePublicStatus } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { NavLink } from '../parts/nav-link.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { useSessionState } from '../session/session-context.tsx';
import { SignInPage } from '../session/sign-in-page.tsx';
import { BrandMark } from '../shell/brand-mark.tsx';
import { ModeMenu } from '../shell/mode-menu.tsx';
import { faviconOf, type Sign, signWords } from '../shell/status-sign.ts';
import { parseOrigin } from './origin.ts';
import { Return } from './return.tsx';
import { VisitorWake } from './visitor-wake.tsx';

/** Who asked for an address whose cluster sleeps lands here, sees why, and is taken back when it answers again. */
export function VisitorPage({ origin }: { origin: string }) {
  const session = useSessionState();
  const [signIn, setSignIn] = useState(false);
  const from = parseOrigin(origin);
  const signedOut = session.kind !== 'signed-in';
  if (signIn && signedOut) return <SignInPage />;
  return (
    <Box component="main" sx={{ minHeight: '100vh', display: 'grid', placeItems: 'center', p: { xs: 1.5, sm: 3 } }}>
      <Paper sx={{ p: { xs: 2.5, sm: 4 }, width: '100%', maxWidth: 560 }}>
        <Stack spacing={2.5}>
          <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'center' }}>
            <BrandMark clusterName={undefined} />
            <ModeMenu />
          </Stack>
          {from.ok ? (
            <>
              <Typography variant="h1">{from.host} is not answering yet</Typography>
              <VisitorStatus />
              {signedOut ? (
                <SignInHint onSignIn={() => setSignIn(true)} />
              ) : (
                <>
                  <Return url={from.url} host={from.host} />
                  <VisitorWake />
                </>
              )}
            </>
          ) : (
            <Alert severity="error">
              {from.problem} Nobody is sent there. <NavLink to="/">Open the overview</NavLink>
            </Alert>
          )}
        </Stack>
      </Paper>
    </Box>
  );
}

function SignInHint({ onSignIn }: { onSignIn: () => void }) {
  return (
    <Stack spacing={1.5} sx={{ alignItems: 'flex-start' }}>
      <Typography>Sign in to wait for it here, or to wake the cluster if you are an admin.</Typography>
      <Button variant="contained" onClick={onSignIn}>
        Sign in
      </Button>
    </Stack>
  );
}

/** What may be said without a sign-in: no names, no guess. */
function VisitorStatus() {
  const status = usePublicStatus();
  const sign: Sign = status.error === null ? (status.data?.state ?? 'unknown') : 'unknown';
  useEffect(() => {
    document.title = signWords[sign];
    document.getElementById('favicon')?.setAttribute('href', faviconOf(sign));
  }, [sign]);
  return (
    <Answer of={status} lines={2}>
      {({ clusterName, state, nextChangeAt, timezone, progress }) => (
        <Stack spacing={1} data-testid="visitor-status">
          <Typography sx={{ fontWeight: 600 }}>
            {clusterName}: {signWords[state]}
          </Typography>
          {nextChangeAt === undefined ? null : (
            <Typography>
              {state === 'hibernated' ? 'Expected to wake at ' : 'Next change at '}
              <ZonedTime at={nextChangeAt} zone={timezone} />
            </Typography>
          )}
          {progress === undefined ? null : (
            <>
              <LinearProgress
                variant="determinate"
                value={progress.total === 0 ? 0 : (progress.up / progress.total) * 100}
                aria-label="Workloads up"
                sx={{ height: 8, borderRadius: 4 }}
              />
              <Typography>
                {progress.up} of {progress.total} up
              </Typography>
            </>
          )}
        </Stack>
      )}
    </Answer>
  );
}
