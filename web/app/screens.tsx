import { Box, CircularProgress, Typography } from '@mui/material';
import { useLocation } from 'wouter';
import { useHashSearch } from './hash-location.ts';
import { helpRoute } from './help/help-route.ts';
import { Problem } from './parts/problem.tsx';
import { useSession, useSessionState } from './session/session-context.tsx';
import { SignInPage } from './session/sign-in-page.tsx';
import { LaterPage } from './shell/later-page.tsx';
import { Shell } from './shell/shell.tsx';
import { VisitorPage } from './visitor/visitor-page.tsx';

/** The kinds of screen: a visitor's, the help, which is for anybody, the sign-in, and the app itself. */
export function Screens() {
  const session = useSessionState();
  const [path] = useLocation();
  const query = new URLSearchParams(useHashSearch());
  if (session.kind === 'unknown') return <Starting />;
  const origin = query.get('origin');
  if (path === '/' && origin !== null) return <VisitorPage origin={origin} />;
  if (path.startsWith(helpRoute)) return <LaterPage page={help} title="Help" />;
  if (session.kind === 'waiting') return <Waiting problem={session.problem} />;
  if (session.kind === 'signed-out') return <SignInPage message={session.message} />;
  if (path === '/sign-in') return <SignInPage />;
  return <Shell />;
}

const help = { load: async () => (await import('./help/help-page.tsx')).HelpPage };

function Starting() {
  return (
    <Box sx={{ minHeight: '100vh', display: 'grid', placeItems: 'center' }}>
      <CircularProgress aria-label="Loading" />
    </Box>
  );
}

/** Who was signed in still is: it could not be asked. */
function Waiting({ problem }: { problem: Error }) {
  const session = useSession();
  return (
    <Box component="main" sx={{ minHeight: '100vh', display: 'grid', placeContent: 'center', gap: 2, p: 2 }}>
      <Problem error={problem} onRetry={() => void session.resume()} />
      <Typography>You stay signed in: the page goes on as soon as the service answers.</Typography>
    </Box>
  );
}
