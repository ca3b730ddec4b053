import { Alert, Box, Drawer, Link } from '@mui/material';
import { Component, type ReactNode, useEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { LiveContext } from '../data/live.ts';
import { useSchedule, useStatus } from '../data/queries.ts';
import { useStream } from '../data/use-stream.ts';
import { HelpContext } from '../parts/help-link.tsx';
import { NavLink } from '../parts/nav-link.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { useUser } from '../session/session-context.tsx';
import { Announcer } from './announcer.tsx';
import { type InnerPage, innerPages } from './inner-pages.ts';
import { LaterPage } from './later-page.tsx';
import { mainId } from './main-id.ts';
import { Navigation } from './navigation.tsx';
import { mayOpen, type PageEntry, pages } from './pages.ts';
import { Palette } from './palette.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { TopBar } from './top-bar.tsx';
import { useDocumentStatus } from './use-document-status.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useShortcuts } from './use-shortcuts.ts';

const drawerWidth = 240;
const barHeight = 64;
const shownWeek = 7;

/** The frame around every page of somebody who is signed in. */
export function Shell() {
  const live = useStream();
  const status = useStatus();
  // Every page counts by the server's clock, and the plan is what tells it.
  useSchedule(shownWeek);
  const [path] = useLocation();
  const [menu, setMenu] = useState(false);
  const [overlay, setOverlay] = useState<'palette' | 'sheet'>();
  useDocumentStatus(status);
  useKeptFocus();
  useShortcuts({ onPalette: () => setOverlay('palette'), onSheet: () => setOverlay('sheet') });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path closes the menu and begins at the top
  useEffect(() => {
    setMenu(false);
    scrollTo(0, 0);
  }, [path]);
  return (
    <Box sx={{ minHeight: '100vh' }}>
      <SkipLink />
      <Announcer status={status} />
      <TopBar
        status={status}
        connected={live.connected}
        onMenu={() => setMenu(true)}
        onPalette={() => setOverlay('palette')}
        onSheet={() => setOverlay('sheet')}
      />
      <Box sx={{ display: 'flex', alignItems: 'flex-start' }}>
        <Menu open={menu} onClose={() => setMenu(false)} />
        <Box
          component="main"
          id={mainId}
          tabIndex={-1}
          sx={{ flex: 1, minWidth: 0, px: { xs: 1.5, sm: 3 }, pt: 3, pb: 6, outline: 'none' }}
        >
          <LiveContext value={live}>
            <PageBoundary key={path}>
              <CurrentPage />
            </PageBoundary>
          </LiveContext>
        </Box>
      </Box>
      <Palette open={overlay === 'palette'} onClose={() => setOverlay(undefined)} />
      <ShortcutSheet open={overlay === 'sheet'} onClose={() => setOverlay(undefined)} />
    </Box>
  );
}

function CurrentPage() {
  return (
    <Switch>
      {pages.map((page) => (
        <Route key={page.path} path={page.path}>
          <Allowed page={page} />
        </Route>
      ))}
      <Route path="/activity/:id">
        <ActivityEntry />
      </Route>
      {innerPages.map((page) => (
        <Route key={page.path} path={page.path}>
          <Allowed page={page} />
        </Route>
      ))}
      <Route>
        <Page title="There is no such page">
          <Section>
            <NavLink to="/" color="inherit">
              Back to the overview
            </NavLink>
          </Section>
        </Page>
      </Route>
    </Switch>
  );
}

function ActivityEntry() {
  return <Allowed page={pages.find(({ path }) => path === '/activity')!} />;
}

/** A page whose routes are not for this person says so at once, instead of waiting for answers that never come. */
function Allowed({ page }: { page: InnerPage }) {
  const user = useUser();
  return (
    <HelpContext value={page.help}>
      {mayOpen(page, user) ? <PageOf title={page.title} component={page.component} /> : <NotForYou page={page} />}
    </HelpContext>
  );
}

function NotForYou({ page }: { page: InnerPage }) {
  const user = useUser();
  return (
    <Page title={page.title}>
      <Alert severity="info">
        {page.admin ? (
          <>
            This page is for admins. You are signed in as {user?.email}, who is none; whoever runs the service can add
            the address to <code>config.auth.adminUsers</code>.
          </>
        ) : (
          <>
            This page is for people of the company. You are signed in as {user?.email}; whoever runs the service can add
            the domain to <code>config.auth.allowedEmailDomains</code>.
          </>
        )}{' '}
        <NavLink to="/">Back to the overview</NavLink>
      </Alert>
    </Page>
  );
}

function PageOf({ title, component: Component }: Pick<PageEntry, 'title' | 'component'>) {
  return 'load' in Component ? <LaterPage page={Component} title={title} /> : <Component />;
}

/** Beside the page where there is room, else behind a button. */
function Menu({ open, onClose }: { open: boolean; onClose: () => void }) {
  const paper = { width: drawerWidth, boxSizing: 'border-box', borderRadius: 0 } as const;
  const beside = {
    display: { xs: 'none', lg: 'block' },
    width: drawerWidth,
    flexShrink: 0,
    position: 'sticky',
    top: barHeight,
    height: `calc(100vh - ${barHeight}px)`,
    overflowY: 'auto',
    borderRight: 1,
    borderColor: 'divider',
    bgcolor: 'background.paper',
  } as const;
  return (
    <>
      <Drawer
        open={open}
        onClose={onClose}
        slotProps={{ paper: { 'aria-label': 'Menu' } }}
        sx={{ display: { lg: 'none' }, '& .MuiDrawer-paper': paper }}
      >
        <Navigation label="Pages (menu)" />
      </Drawer>
      <Box sx={beside}>
        <Navigation label="Pages" />
      </Box>
    </>
  );
}

function SkipLink() {
  return (
    <Link
      href={`#${mainId}`}
      onClick={(event) => {
        // The fragment is the app's address, so the jump is made by hand.
        event.preventDefault();
        document.getElementById(mainId)?.focus({ preventScroll: true });
        scrollTo(0, 0);
      }}
      sx={{
        position: 'absolute',
        left: -9999,
        zIndex: 2000,
        bgcolor: 'background.paper',
        p: 1,
        '&:focus': { left: 8, top: 8 },
      }}
    >
      Skip to the page
    </Link>
  );
}

/** A page that fails does not take the frame with it. */
class PageBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Alert severity="error">
        This page could not be shown. <Link href="">Reload the app</Link>; if it fails again, its log has the reason.
      </Alert>
    );
  }
}
