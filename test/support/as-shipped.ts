import { shippedAuthority } from '../../src/service/license-source.ts';

/** What a process of a test shares with a shipped one; nothing outside the process follows its configuration. */
export const asShipped = { authority: shippedAuthority, inForce() {} };

/** A controller whose api does not run, or need not hear of it. */
export const noApi = { off: 'no api runs here' };
