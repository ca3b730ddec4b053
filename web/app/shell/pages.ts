import type { ComponentType } from 'react';
import { ControlPage } from '../control/control-page.tsx';
import * as icons from '../icons.tsx';
import { OverviewPage } from '../overview/overview-page.tsx';
import type { User } from '../session/session.ts';
import type { Later } from './later-page.tsx';

/** What somebody comes for; the menu has the pages under these, in this order. */
export const pageGroups = ['Now', 'Plan', 'Look back', 'Set up'] as const;

export interface PageEntry {
  readonly path: string;
  readonly title: string;
  readonly group: (typeof pageGroups)[number];
  readonly icon: ComponentType;
  readonly component: ComponentType | Later;
  /** Its document, below `help`. */
  readonly help: string;
  /** The routes behind it are for admins. */
  readonly admin: boolean;
  /** The routes behind it are for people of the company. */
  readonly member?: true;
}

/** Whether the routes behind a page answer this person. */
export function mayOpen({ admin, member }: Pick<PageEntry, 'admin' | 'member'>, user: User | undefined): boolean {
  if (admin) return user?.admin === true;
  return member === undefined || user?.member === true;
}

const later = (load: Later['load']): Later => ({ load });

/** In the order of the menu. What is needed first comes with the first load, the others when they are opened. */
export const pages: readonly PageEntry[] = [
  {
    path: '/',
    group: 'Now',
    title: 'Overview',
    icon: icons.HomeIcon,
    component: OverviewPage,
    help: 'index.html',
    admin: false,
  },
  {
    path: '/control',
    group: 'Now',
    title: 'Manual Control',
    icon: icons.HandIcon,
    component: ControlPage,
    help: 'stand-down.html',
    admin: false,
  },
  {
    path: '/wake',
    group: 'Now',
    title: 'Transition',
    icon: icons.StepsIcon,
    component: later(async () => (await import('../wake/wake-page.tsx')).WakePage),
    help: 'verdicts.html',
    admin: true,
  },
  {
    path: '/resources',
    group: 'Now',
    title: 'Resources',
    icon: icons.BoxesIcon,
    component: later(async () => (await import('../resources/resources-page.tsx')).ResourcesPage),
    help: 'what-it-touches.html',
    admin: true,
  },
  {
    path: '/tonight',
    group: 'Plan',
    title: 'Tonight',
    icon: icons.EyeIcon,
    component: later(async () => (await import('../tonight/tonight-page.tsx')).TonightPage),
    help: 'first-night.html',
    admin: true,
  },
  {
    path: '/calendar',
    group: 'Plan',
    title: 'Calendar',
    icon: icons.CalendarIcon,
    component: later(async () => (await import('../calendar/calendar-page.tsx')).CalendarPage),
    help: 'schedules.html',
    admin: false,
    member: true,
  },
  {
    path: '/insights',
    group: 'Look back',
    title: 'Insights',
    icon: icons.LeafIcon,
    component: later(async () => (await import('../insights/insights-page.tsx')).InsightsPage),
    help: 'costs.html',
    admin: false,
    member: true,
  },
  {
    path: '/activity',
    group: 'Look back',
    title: 'Activity',
    icon: icons.ListIcon,
    component: later(async () => (await import('../activity/activity-page.tsx')).ActivityPage),
    help: 'reference/events.html',
    admin: true,
  },
  {
    path: '/notifications',
    group: 'Look back',
    title: 'Notifications',
    icon: icons.BellIcon,
    component: later(async () => (await import('../notifications/notifications-page.tsx')).NotificationsPage),
    help: 'notifications.html',
    admin: true,
  },
  {
    path: '/external-wake',
    group: 'Set up',
    title: 'External Wake',
    icon: icons.LinkIcon,
    component: later(async () => (await import('../external-wake/external-wake-page.tsx')).ExternalWakePage),
    help: 'external-wake.html',
    admin: true,
  },
  {
    path: '/databases',
    group: 'Set up',
    title: 'Databases and Satellites',
    icon: icons.DatabaseIcon,
    component: later(async () => (await import('../databases/databases-page.tsx')).DatabasesPage),
    help: 'databases.html',
    admin: true,
  },
  {
    path: '/license',
    group: 'Set up',
    title: 'License',
    icon: icons.CertificateIcon,
    component: later(async () => (await import('../license/license-page.tsx')).LicensePage),
    help: 'license.html',
    admin: true,
  },
  {
    path: '/settings',
    group: 'Set up',
    title: 'Settings',
    icon: icons.GearIcon,
    component: later(async () => (await import('../settings/settings-page.tsx')).SettingsPage),
    help: 'reference/configuration.html',
    admin: true,
  },
  {
    path: '/account',
    group: 'Set up',
    title: 'Account and Passkeys',
    icon: icons.KeyIcon,
    component: later(async () => (await import('../settings/account-page.tsx')).AccountPage),
    help: 'sign-in.html',
    admin: false,
  },
];
