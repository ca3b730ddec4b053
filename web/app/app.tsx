import { CssBaseline, ThemeProvider } from '@mui/material';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { Router } from 'wouter';
import { useBranding } from './data/queries.ts';
import { useHashPath } from './hash-location.ts';
import { Screens } from './screens.tsx';
import type { Session } from './session/session.ts';
import { SessionProvider } from './session/session-context.tsx';
import { ToastProvider } from './shell/toast.tsx';
import { defaultAccent, makeTheme } from './theme/theme.ts';

interface Props {
  readonly session: Session;
  readonly queryClient: QueryClient;
}

export function App({ session, queryClient }: Props) {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider session={session}>
        <BrandedTheme>
          <Router hook={useHashPath}>
            <ToastProvider>
              <Screens />
            </ToastProvider>
          </Router>
        </BrandedTheme>
      </SessionProvider>
    </QueryClientProvider>
  );
}

function BrandedTheme({ children }: { children: ReactNode }) {
  const { data: brand } = useBranding();
  const accent = brand?.accentColor ?? defaultAccent;
  const theme = useMemo(() => makeTheme(accent), [accent]);
  return (
    <ThemeProvider theme={theme} defaultMode="system" disableTransitionOnChange>
      <CssBaseline enableColorScheme />
      {children}
    </ThemeProvider>
  );
}
