import { calendarAddressChanged } from '../../domain/announcement/request.ts';
import { type FeedBand, type FeedDay, feedEvents } from '../../domain/calendar/feed.ts';
import { icalendar } from '../../domain/calendar/icalendar.ts';
import { planOf } from '../../domain/schedule/plan.ts';
import { type CalendarFeed, calendarFeeds, mostCalendarFeeds } from '../../state/access/calendar-feeds.ts';
import { scheduleOverrides } from '../../state/intents/schedule-overrides.ts';
import { type StateSnapshot, set } from '../../state/snapshot.ts';
import { storing } from '../../state/storing.ts';
import { type Handlers, RawAnswer, signedIn } from '../call/call.ts';
import type { ApiPorts } from '../call/ports.ts';
import { RateLimit } from '../call/rate-limit.ts';
import { Refusal } from '../call/refusal.ts';
import type { User } from '../call/user.ts';
import type { Outlook, Outlooks } from '../outlook/outlook.ts';
import { instant } from '../outlook/wire.ts';
import { type Keys, sameBytes } from '../sign-in/keys.ts';
import { SealedAddress } from '../sign-in/sealed-address.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { Intents } from '../state/intents.ts';
import { inPlainWords, type ManagedState, need, readOr503 } from '../state/managed-state.ts';
import { forecastOf } from './forecast.ts';
import { planAnswer } from './plan.ts';

const mostOfOne = 10;
const shownDays = 56;
/** So that the night that is under way begins where it began, and not now. */
const daysBack = 3;
const dayMs = 86_400_000;
/** Programs ask every few minutes at most; a token that is none is asked for by nobody who was given one. */
const reads = { count: 30, perMs: 60_000 };
const strayReads = { count: 30, perMs: 60_000 };

type FeedHandlers = Pick<Handlers, 'calendarFeeds' | 'makeCalendarFeed' | 'revokeCalendarFeed' | 'calendar'>;

export interface CalendarFeedOptions {
  readonly ports: ApiPorts;
  readonly state: ManagedState;
  readonly intents: Intents;
  readonly outlooks: Outlooks;
  readonly signIn: SignIn;
  readonly keys: Keys;
}

/**
 * Addresses under which calendar programs read the schedule: they cannot sign in, so the address itself is the key. It
 * opens what its owner may see and nothing else, as long as the owner may see it and until it is revoked.
 */
export function calendarFeedHandlers(options: CalendarFeedOptions): FeedHandlers {
  const { ports, state, intents, outlooks, signIn, keys } = options;
  const { clock, random } = ports;
  const addresses = new SealedAddress(keys, random, 'calendar-feed');
  const hashOf = (token: string) => keys.mac('calendar-feed', 'token', token).toString('base64url');
  const ofFeed = new RateLimit(clock, reads);
  const ofStranger = new RateLimit(clock, strayReads);
  const texts = new WeakMap<Outlook, string>();
  const newId = (bytes: number) => Buffer.from(random.bytes(bytes)).toString('base64url');
  const ownerOf = ({ owner }: CalendarFeed) => addresses.unseal(owner);
  const isOf = (feed: CalendarFeed, user: User) => ownerOf(feed) === user.address.text;

  const wire = (feed: CalendarFeed, user: User) => ({
    id: feed.id,
    name: feed.name,
    owner: signIn.shown(ownerOf(feed) ?? ''),
    own: isOf(feed, user),
    createdAt: instant(feed.at),
  });

  return {
    async calendarFeeds(call) {
      const user = signedIn(call);
      const { snapshot } = await readOr503(state);
      const feeds = need(snapshot, calendarFeeds).filter((feed) => user.admin || isOf(feed, user));
      return { items: feeds.map((feed) => wire(feed, user)) };
    },

    async makeCalendarFeed(call) {
      const user = signedIn(call);
      const token = newId(32);
      const at = clock.now();
      const feed: CalendarFeed = {
        id: newId(9),
        name: plainName(call.body?.name),
        token: hashOf(token),
        owner: addresses.seal(user.address.text),
        at,
      };
      return intents.write((snapshot) => {
        // What was sealed by another signing secret opens nothing any more.
        const known = need(snapshot, calendarFeeds).filter((one) => ownerOf(one) !== undefined);
        if (known.filter((one) => isOf(one, user)).length >= mostOfOne) throw tooMany(`You have ${mostOfOne}`);
        if (known.length >= mostCalendarFeeds) throw tooMany(`There are ${mostCalendarFeeds}`);
        const told = calendarAddressChanged({ id: feed.id, at, by: user.shown }, 'calendar-address-made', feed.name);
        return {
          edits: [set(calendarFeeds, [...known, feed]), ...storing(snapshot, [told])],
          answer: { feed: wire(feed, user), token },
        };
      });
    },

    async revokeCalendarFeed(call) {
      const user = signedIn(call);
      return intents.write((snapshot) => {
        const known = need(snapshot, calendarFeeds);
        const feed = known.find(({ id }) => id === call.params.id);
        if (feed === undefined || !(user.admin || isOf(feed, user))) {
          throw new Refusal('not_found', 'You have no such calendar address.');
        }
        const asked = { id: newId(9), at: clock.now(), by: user.shown };
        const told = calendarAddressChanged(asked, 'calendar-address-revoked', feed.name);
        const left = known.filter((one) => one !== feed);
        return {
          edits: [set(calendarFeeds, left), ...storing(snapshot, [told])],
          answer: { message: `The calendar address ${feed.name} opens nothing any more.` },
        };
      });
    },

    async calendar(call) {
      try {
        // Whoever asks, it costs no read of the cluster.
        const { snapshot } = state.kept();
        const feed = openedBy(need(snapshot, calendarFeeds), call.params.token);
        if (feed === undefined) {
          refuseAfter(ofStranger.take(call.clientKey));
          throw new Refusal('not_found', 'There is no calendar at this address.');
        }
        refuseAfter(ofFeed.take(feed.id));
        call.setHeader('content-disposition', 'inline; filename="hibernation.ics"');
        return new RawAnswer('text/calendar; charset=utf-8', textOf(snapshot));
      } catch (error) {
        throw inPlainWords(error);
      }
    },
  };

  /** Every one is compared, so that the time it takes does not tell how much of a token was right. */
  function openedBy(feeds: readonly CalendarFeed[], token: string): CalendarFeed | undefined {
    const hash = Buffer.from(hashOf(token));
    const [feed] = feeds.filter((one) => sameBytes(Buffer.from(one.token), hash));
    const owner = feed === undefined ? undefined : ownerOf(feed);
    return owner !== undefined && signIn.isMember(owner) ? feed : undefined;
  }

  function textOf(snapshot: StateSnapshot): string {
    const outlook = outlooks.of(snapshot);
    const known = texts.get(outlook);
    if (known !== undefined) return known;
    const text = calendarText(
      outlook,
      planAnswer(ports.compiled(), need(snapshot, scheduleOverrides), outlook.now, shownDays).days,
    );
    texts.set(outlook, text);
    return text;
  }
}

function calendarText(outlook: Outlook, days: readonly FeedDay[]): string {
  const { now, schedule, compiled } = outlook;
  const { clusterName } = compiled.config;
  const aDateBefore = now - (daysBack - 1) * dayMs;
  const [first] = planOf(schedule, aDateBefore, 1).days;
  const before = planOf(schedule, first?.from ?? aDateBefore, daysBack).bands.flatMap((band) =>
    band.from < now ? [{ ...band, to: Math.min(band.to, now) }] : [],
  );
  const ahead = forecastOf(outlook, shownDays).map(
    (band): FeedBand => ({ ...band, from: Date.parse(band.from), to: Date.parse(band.to) }),
  );
  const events = feedEvents({ clusterName, bands: [...before, ...ahead], days });
  return icalendar({ name: `Hibernation of ${clusterName}`, timezone: schedule.timezone, writtenAt: now, events });
}

function plainName(name = ''): string {
  const plain = name.replace(/[\p{C}\s]+/gu, ' ').trim();
  return plain === '' ? 'Calendar' : [...plain].slice(0, 64).join('');
}

function tooMany(have: string): Refusal {
  return new Refusal('invalid_request', `${have} calendar addresses already: revoke one that nobody uses.`);
}

function refuseAfter(waitMs: number): void {
  if (waitMs > 0) throw new Refusal('rate_limited', undefined, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
}
