import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { ControlPage } from '../control/control-page.tsx';
import * as icons from '../icons.tsx';
import { OverviewPage } from '../overview/overview-page.tsx';

export interface PageEntry {
  readonly path: string;
  readonly title: string;
  readonly icon: ComponentType;
  readonly component: ComponentType | LazyExoticComponent<ComponentType>;
  /** The routes behind it are for admins. */
  readonly admin: boolean;
}

/** In the order of the menu. What is needed first comes with the first load, the others when they are opened. */
export const pages: readonly PageEntry[] = [
  { path: '/', title: 'Overview', icon: icons.HomeIcon, component: OverviewPage, admin: false },
  { path: '/control', title: 'Manual Control', icon: icons.HandIcon, component: ControlPage, admin: false },
  {
    path: '/wake',
    title: 'Transition',
    icon: icons.StepsIcon,
    component: lazy(async () => ({ default: (await import('../wake/wake-page.tsx')).WakePage })),
    admin: true,
  },
  {
    path: '/resources',
    title: 'Resources',
    icon: icons.BoxesIcon,
    component: lazy(async () => ({ default: (await import('../resources/resources-page.tsx')).ResourcesPage })),
    admin: true,
  },
  {
    path: '/tonight',
    title: 'Tonight',
    icon: icons.EyeIcon,
    component: lazy(async () => ({ default: (await import('../tonight/tonight-page.tsx')).TonightPage })),
    admin: true,
  },
  {
    path: '/calendar',
    title: 'Calendar',
    icon: icons.CalendarIcon,
    component: lazy(async () => ({ default: (await import('../calendar/calendar-page.tsx')).CalendarPage })),
    admin: false,
  },
  {
    path: '/insights',
    title: 'Insights',
    icon: icons.LeafIcon,
    component: lazy(async () => ({ default: (await import('../insights/insights-page.tsx')).InsightsPage })),
    admin: false,
  },
  {
    path: '/activity',
    title: 'Activity',
    icon: icons.ListIcon,
    component: lazy(async () => ({ default: (await import('../activity/activity-page.tsx')).ActivityPage })),
    admin: true,
  },
  {
    path: '/external-wake',
    title: 'External Wake',
    icon: icons.LinkIcon,
    component: lazy(async () => ({
      default: (await import('../external-wake/external-wake-page.tsx')).ExternalWakePage,
    })),
    admin: true,
  },
  {
    path: '/databases',
    title: 'Databases and Satellites',
    icon: icons.DatabaseIcon,
    component: lazy(async () => ({ default: (await import('../databases/databases-page.tsx')).DatabasesPage })),
    admin: true,
  },
  {
    path: '/notifications',
    title: 'Notifications',
    icon: icons.BellIcon,
    component: lazy(async () => ({
      default: (await import('../notifications/notifications-page.tsx')).NotificationsPage,
    })),
    admin: true,
  },
  {
    path: '/license',
    title: 'License',
    icon: icons.CertificateIcon,
    component: lazy(async () => ({ default: (await import('../license/license-page.tsx')).LicensePage })),
    admin: false,
  },
  {
    path: '/settings',
    title: 'Settings',
    icon: icons.GearIcon,
    component: lazy(async () => ({ default: (await import('../settings/settings-page.tsx')).SettingsPage })),
    admin: true,
  },
  {
    path: '/account',
    title: 'Account and Passkeys',
    icon: icons.KeyIcon,
    component: lazy(async () => ({ default: (await import('../settings/account-page.tsx')).AccountPage })),
    admin: false,
  },
];
