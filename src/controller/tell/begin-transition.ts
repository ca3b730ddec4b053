import type { Announcement } from '../../domain/announcement/announcement.ts';
import { caughtUp } from '../../domain/announcement/hibernation.ts';
import { set } from '../../state/snapshot.ts';
import type { PassContext } from '../pass/pass-context.ts';
import { type Hibernation, transition, type Wake } from '../transition.ts';
import { announce } from './announce.ts';

/** The first write of a transition, with its announcements; one that makes up for a missed edge says so. */
export async function begin(
  context: PassContext,
  started: Hibernation | Wake,
  announcements: readonly Announcement[] = [],
): Promise<void> {
  context.watchPatience.startAnew();
  context.refusalPatience.startAnew();
  const catchUp = started.trigger.cause === 'catch-up' ? [caughtUp(started)] : [];
  await announce(context, [...catchUp, ...announcements], [set(transition, started)]);
}
