import { Alert, Box, Divider, Paper, Stack, Typography } from '@mui/material';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { useBranding } from '../data/queries.ts';
import { useHashSearch } from '../hash-location.ts';
import { HelpLink } from '../parts/help-link.tsx';
import { BrandMark } from '../shell/brand-mark.tsx';
import { ModeMenu } from '../shell/mode-menu.tsx';
import { faviconOf } from '../shell/status-sign.ts';
import { CodeForm } from './code-form.tsx';
import { EmailForm, type Mailed } from './email-form.tsx';
import { MagicLink } from './magic-link.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { useSession } from './session-context.tsx';

interface Asked {
  readonly email: string;
  readonly answer: Mailed;
}

/** Sign-in by a mailed code, by the link in the same mail, or by a passkey. */
export function SignInPage({ message }: { message?: string | undefined }) {
  const session = useSession();
  const [path, navigate] = useLocation();
  const link = new URLSearchParams(useHashSearch()).get('link');
  const [asked, setAsked] = useState<Asked>();
  const [known, setKnown] = useState('');
  const { data: brand } = useBranding();
  useEffect(() => {
    document.title = `Sign in · ${brand?.name ?? 'Hibernation'}`;
    document.getElementById('favicon')?.setAttribute('href', faviconOf('unknown'));
  }, [brand]);
  const done = (issued: AnswerOf<'verifyOtp'>) => {
    session.signedIn(issued);
    // The token of the link is spent; it does not stay in the address.
    if (path === '/sign-in') navigate('/', { replace: true });
  };
  return (
    <Box component="main" sx={{ minHeight: '100vh', display: 'grid', placeItems: 'center', p: { xs: 1.5, sm: 3 } }}>
      <Paper sx={{ p: { xs: 2.5, sm: 4 }, width: '100%', maxWidth: 440 }}>
        <Stack spacing={3}>
          <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'center' }}>
            <BrandMark clusterName={undefined} />
            <ModeMenu />
          </Stack>
          <Stack direction="row" sx={{ alignItems: 'baseline', flexWrap: 'wrap', columnGap: 2 }}>
            <Typography variant="h1">Sign in</Typography>
            <HelpLink page="sign-in.html" />
          </Stack>
          {message === undefined ? null : <Alert severity="warning">{message}</Alert>}
          {link !== null ? (
            <MagicLink token={link} onSignedIn={done} />
          ) : asked === undefined ? (
            <EmailForm known={known} onAsked={setAsked} />
          ) : (
            <CodeForm
              email={asked.email}
              asked={asked.answer}
              onSignedIn={done}
              onBack={() => {
                setKnown(asked.email);
                setAsked(undefined);
              }}
            />
          )}
          {link === null && brand?.passkeys === true ? (
            <>
              <Divider>or</Divider>
              <PasskeySignIn onSignedIn={done} />
            </>
          ) : null}
        </Stack>
      </Paper>
    </Box>
  );
}
