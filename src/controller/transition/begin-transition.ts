import type { Announcement } from '../../domain/announcement/announcement.ts';
import { caughtUp } from '../../domain/announcement/hibernation.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';
import { type Announcing, announce } from '../announcements/announce.ts';
import { type Hibernation, transition, type Wake } from './transition.ts';
import type { WatchOutages } from './watch-outages.ts';

export interface Beginning extends Announcing {
  readonly watchOutages: WatchOutages;
}

/** The first write of a transition, with its announcements; one that makes up for a missed edge says so. */
export async function begin(
  context: Beginning,
  started: Hibernation | Wake,
  announcements: readonly Announcement[] = [],
  edits: readonly StateEdit[] = [],
): Promise<void> {
  context.watchOutages.startAnew();
  const catchUp = started.trigger.cause === 'catch-up' ? [caughtUp(started)] : [];
  // A hibernation leaves the reserve to what brings its workloads back.
  const room = started.kind === 'hibernation' ? 'ordinary' : 'reserve';
  await announce(context, [...catchUp, ...announcements], [set(transition, started), ...edits], room);
}
