import type { Session } from './session.ts';

/** Nothing of one person is left for the next who signs in here, however the session ended. */
export function forgetWithSession(session: Pick<Session, 'state' | 'subscribe'>, cache: { clear(): void }): void {
  let wasIn = false;
  session.subscribe(() => {
    const isIn = session.state().kind === 'signed-in';
    if (wasIn && !isIn) cache.clear();
    wasIn = isIn;
  });
}
