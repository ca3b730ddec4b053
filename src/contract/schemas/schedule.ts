import * as Type from 'typebox';
import { closed, date, instant, open, optional, text, words } from './basics.ts';

const source = words('schedule', 'override', 'holiday');

const override = open({
  date,
  hours: Type.String(),
  by: Type.String(),
  at: instant,
  reason: optional(Type.String()),
});
export const overrides = open({ items: Type.Array(override) });
export const overrideParams = closed({ date });
export const overrideBody = closed({
  hours: text(200, '`on`, `off` or ranges such as `08:00-20:00`.'),
  reason: optional(text(1000, 'At most 50 characters, no URL.')),
});

const calendarFeed = open({
  id: Type.String(),
  name: Type.String(),
  /** Whose it is: one's own, or anybody's for an admin. */
  owner: Type.String(),
  own: Type.Boolean(),
  createdAt: instant,
});
export const calendarFeeds = open({ items: Type.Array(calendarFeed) });
export const calendarFeedBody = closed({ name: optional(text(64, 'To tell several apart: the program or device.')) });
/** The token is told this once: only its hash is stored. */
export const calendarFeedMade = open({ feed: calendarFeed, token: Type.String() });
export const calendarFeedParams = closed({ id: text(32) });
export const calendarFeedRevoked = open({ message: Type.String() });
export const calendarParams = closed({ token: text(128) });

const plan = open({
  timezone: Type.String(),
  from: instant,
  to: instant,
  days: Type.Array(
    open({
      date,
      weekday: Type.String(),
      from: instant,
      to: instant,
      hours: Type.String(),
      source,
      label: Type.String(),
      /** Public holidays of the configured regions, whether the schedule acts on them or not. */
      holidays: Type.Array(open({ name: Type.String(), region: Type.String() })),
      clockChange: optional(open({ at: instant, shiftMinutes: Type.Number(), text: Type.String() })),
    }),
  ),
  bands: Type.Array(open({ from: instant, to: instant, awake: Type.Boolean(), source, label: Type.String() })),
});

export const schedule = open({
  /** What the schedule alone says now; stand-downs and acts of people come before it. */
  now: open({ awake: Type.Boolean(), code: Type.String(), text: Type.String(), until: optional(instant) }),
  plan,
  /**
   * What will be if nobody does anything: the plan, with acts of people, sessions of other clusters and stops before it.
   * Left out while the state that tells them cannot be read.
   */
  forecast: optional(
    Type.Array(
      open({
        from: instant,
        to: instant,
        awake: Type.Boolean(),
        /** `act`: of a person. `cluster`: another one needs this one. `stop`: nothing is scaled. */
        source: words('schedule', 'override', 'holiday', 'act', 'cluster', 'stop'),
        label: Type.String(),
      }),
    ),
  ),
  overrides: Type.Array(override),
  week: Type.Record(Type.String(), Type.String()),
});
export const scheduleQuery = closed({ days: optional(Type.Integer({ minimum: 1, maximum: 62 })) });

/** After any change, the plan that follows from it. */
export const overrideChanged = open({ override, plan });
export const overrideRemoved = open({ plan });
export const resumed = open({ message: Type.String(), plan });
