import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { pageBaseUrl } from './data/base-url.ts';
import { makeQueryClient } from './data/query-client.ts';
import { shareSignOut } from './session/across-tabs.ts';
import { forgetWithSession } from './session/forget.ts';
import { Session } from './session/session.ts';

const session = new Session(pageBaseUrl());
const queryClient = makeQueryClient();
forgetWithSession(session, queryClient);
// A browser without it finds out by its next question.
if ('BroadcastChannel' in globalThis) shareSignOut(session, new BroadcastChannel(`svc-session ${pageBaseUrl()}`));
void session.resume();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root');
createRoot(root).render(
  <StrictMode>
    <App session={session} queryClient={queryClient} />
  </StrictMode>,
);
