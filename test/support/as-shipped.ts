import { shippedAuthority } from '../../src/service/license-source.ts';

/** The cluster of a test is restored where the test does that, and nowhere else: the rejection that nobody takes fails the run. */
function notRestored(): void {
  void Promise.reject(new Error('A process took its cluster for one that was restored from a backup.'));
}

/** What a process of a test shares with a shipped one; nothing outside the process follows its configuration. */
export const asShipped = { authority: shippedAuthority, inForce() {}, restored: notRestored };

/** A controller whose api does not run, or need not hear of it. */
export const noApi = { off: 'no api runs here' };
