import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { ApiClient } from '../../../src/contract/contract.ts';
import type { Session, SessionState, User } from './session.ts';

const Context = createContext<Session | undefined>(undefined);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <Context value={session}>{children}</Context>;
}

export function useSession(): Session {
  const session = useContext(Context);
  if (session === undefined) throw new Error('useSession outside a SessionProvider');
  return session;
}

export function useSessionState(): SessionState {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, session.state, session.state);
}

export function useClient(): ApiClient {
  return useSession().client;
}

/** Who is signed in; undefined on the pages that need nobody. */
export function useUser(): User | undefined {
  const state = useSessionState();
  return state.kind === 'signed-in' ? state.user : undefined;
}
