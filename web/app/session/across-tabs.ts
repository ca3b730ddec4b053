import type { Session } from './session.ts';

/** Of all tabs of one service in one browser. */
export interface SignOutChannel {
  postMessage(email: string): void;
  onmessage: ((event: MessageEvent<string>) => void) | null;
}

type SignOuts = Pick<Session, 'onSignOut' | 'signedOutElsewhere'>;

/** Who signs out in one tab leaves nothing of his on the screen of another, which would else ask half a minute later. */
export function shareSignOut(session: SignOuts, channel: SignOutChannel): void {
  session.onSignOut((email) => channel.postMessage(email));
  channel.onmessage = ({ data }) => session.signedOutElsewhere(data);
}
