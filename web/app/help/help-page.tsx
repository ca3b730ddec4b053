import { Box, Container, Stack } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { pageBaseUrl } from '../data/base-url.ts';
import { withinLimit } from '../data/time-limit.ts';
import { useHashSearch } from '../hash-location.ts';
import { Empty } from '../parts/empty.tsx';
import { NavLink } from '../parts/nav-link.tsx';
import { Problem } from '../parts/problem.tsx';
import { helpRoute } from './help-route.ts';
import { helpStyle } from './help-style.ts';

/** A document that ships with the app. It needs no sign-in, and is a page of the app: no other address of the host is ours. */
export function HelpPage() {
  const [path] = useLocation();
  const place = path.slice(helpRoute.length);
  const at = new URLSearchParams(useHashSearch()).get('at');
  const shown = useRef<HTMLDivElement>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['help', place],
    queryFn: ({ signal }) => documentAt(place, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: (failures, reason) => failures < 1 && !(reason instanceof NoSuchPage),
  });
  useEffect(() => {
    if (data === undefined) return;
    const heading = shown.current?.querySelector('h1')?.textContent;
    document.title = `${heading ?? 'Help'} · Help`;
    const part = at === null ? null : shown.current?.querySelector(`#${CSS.escape(at)}`);
    if (part) part.scrollIntoView();
    else scrollTo(0, 0);
  }, [data, at]);
  return (
    <Container maxWidth="md" sx={{ py: 2, minHeight: '100vh', bgcolor: 'background.paper' }}>
      <Stack component="nav" aria-label="Help" direction="row" spacing={3} sx={{ pb: 2 }}>
        <NavLink to="/help/index.html">All pages</NavLink>
        <NavLink to="/">Back to the app</NavLink>
      </Stack>
      <Box component="main" ref={shown} sx={helpStyle}>
        {error instanceof NoSuchPage ? (
          <Empty title="There is no such page">
            <NavLink to="/help/index.html" color="inherit">
              All pages of the help
            </NavLink>
          </Empty>
        ) : error !== null ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of this app, rendered by its build from the repository's documents
          <div dangerouslySetInnerHTML={{ __html: data ?? '' }} />
        )}
      </Box>
    </Container>
  );
}

class NoSuchPage extends Error {
  override readonly name = 'NoSuchPage';
}

async function documentAt(place: string, signal: AbortSignal): Promise<string> {
  const base = pageBaseUrl();
  if (!/^[\w/-]+\.html$/.test(place)) throw new NoSuchPage();
  const response = await fetch(`${base}/help/${place}`, { signal: withinLimit(signal) });
  if (response.status === 404) throw new NoSuchPage();
  if (!response.ok) throw new Error(`The document was answered with ${response.status}.`);
  // The app may live below a path; pictures are named from its root.
  return (await response.text()).replaceAll('src="help/', `src="${base}/help/`);
}
