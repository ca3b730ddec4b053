import { Box, Container, Stack } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { pageBaseUrl } from '../data/base-url.ts';
import { useHashSearch } from '../hash-location.ts';
import { Empty } from '../parts/empty.tsx';
import { NavLink } from '../parts/nav-link.tsx';
import { helpStyle } from './help-style.ts';

export const helpRoute = '/help/';

/** A document that ships with the app. It needs no sign-in, and is a page of the app: no other address of the host is ours. */
export function HelpPage() {
  const [path] = useLocation();
  const place = path.slice(helpRoute.length);
  const at = new URLSearchParams(useHashSearch()).get('at');
  const shown = useRef<HTMLDivElement>(null);
  const { data, isError } = useQuery({
    queryKey: ['help', place],
    queryFn: ({ signal }) => documentAt(place, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
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
        {isError ? (
          <Empty title="There is no such page">
            <NavLink to="/help/index.html" color="inherit">
              All pages of the help
            </NavLink>
          </Empty>
        ) : (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of this app, rendered by its build from the repository's documents
          <div dangerouslySetInnerHTML={{ __html: data ?? '' }} />
        )}
      </Box>
    </Container>
  );
}

async function documentAt(place: string, signal: AbortSignal): Promise<string> {
  const base = pageBaseUrl();
  if (!/^[\w/-]+\.html$/.test(place)) throw new Error('no page of the help');
  const response = await fetch(`${base}/help/${place}`, { signal });
  if (!response.ok) throw new Error(`${response.status}`);
  // The app may live below a path; pictures are named from its root.
  return (await response.text()).replaceAll('src="help/', `src="${base}/help/`);
}
