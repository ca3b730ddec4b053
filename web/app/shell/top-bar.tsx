import { AppBar, Box, Chip, IconButton, Popover, Stack, Toolbar, Tooltip, Typography } from '@mui/material';
import { useRef, useState } from 'react';
import { serverClock } from '../data/now.ts';
import { pollMs } from '../data/polling.ts';
import type { Polled, Status } from '../data/queries.ts';
import { MenuIcon, QuestionIcon, SearchIcon, WarningIcon } from '../icons.tsx';
import { NavLink } from '../parts/nav-link.tsx';
import { clockSeconds } from '../parts/time-text.ts';
import { AccountMenu } from './account-menu.tsx';
import { BrandMark } from './brand-mark.tsx';
import { type TopChip, topChips } from './chips.ts';
import { ModeMenu } from './mode-menu.tsx';
import { useRoomForBar } from './use-room-for-bar.ts';

interface Props {
  readonly status: Polled<Status>;
  readonly connected: boolean;
  readonly onMenu: () => void;
  readonly onPalette: () => void;
  readonly onSheet: () => void;
}

export function TopBar({ status, connected, onMenu, onPalette, onSheet }: Props) {
  const bar = useRef<HTMLElement>(null);
  useRoomForBar(bar);
  const chips = status.error === null && status.data !== undefined ? topChips(status.data) : [];
  return (
    <AppBar
      ref={bar}
      position="sticky"
      sx={{
        zIndex: (theme) => theme.zIndex.drawer + 1,
        bgcolor: 'background.paper',
        borderRadius: 0,
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <Toolbar
        sx={{ columnGap: 2, rowGap: 0.5, flexWrap: { xs: 'wrap', md: 'nowrap' }, minHeight: { xs: 56, sm: 64 } }}
      >
        <IconButton aria-label="Open the menu" onClick={onMenu} edge="start" sx={{ display: { lg: 'none' } }}>
          <MenuIcon />
        </IconButton>
        <BrandMark clusterName={status.data?.clusterName} />
        <ClusterLine name={status.data?.clusterName} />
        {chips.length === 0 ? null : (
          <Stack
            direction="row"
            sx={{
              gap: 1,
              flexWrap: 'wrap',
              width: { xs: '100%', md: 'auto' },
              order: { xs: 1, md: 0 },
              pb: { xs: 1, md: 0 },
            }}
            data-testid="chips"
          >
            {chips.map((chip) => (
              <ExplainedChip key={chip.id} chip={chip} />
            ))}
          </Stack>
        )}
        <Box sx={{ flex: 1 }} />
        <Stack direction="row" spacing={0.5} sx={{ alignItems: 'center' }}>
          {connected && status.freshness === 'fresh' ? null : <Disconnected status={status} />}
          <Tooltip title="Find a page, an act, a workload or a setting (Ctrl K)">
            <IconButton aria-label="Find a page, an act, a workload or a setting" onClick={onPalette}>
              <SearchIcon />
            </IconButton>
          </Tooltip>
          <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
            <Tooltip title="Keys (?)">
              <IconButton aria-label="Keys" onClick={onSheet}>
                <QuestionIcon />
              </IconButton>
            </Tooltip>
          </Box>
          <ModeMenu />
          <AccountMenu />
        </Stack>
      </Toolbar>
    </AppBar>
  );
}

/** A phone has no room for the name beside the brand, and a name that is cut names the wrong cluster. */
function ClusterLine({ name }: { name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <Typography
      variant="body2"
      sx={{ display: { sm: 'none' }, width: '100%', order: 1, fontWeight: 650, pb: 0.5, overflowWrap: 'anywhere' }}
    >
      {name}
    </Typography>
  );
}

function ExplainedChip({ chip }: { chip: TopChip }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Chip
        color={chip.color}
        label={chip.text}
        icon={<WarningIcon />}
        onClick={(event) => setAnchor(event.currentTarget)}
        aria-haspopup="dialog"
        sx={{ maxWidth: '100%', height: 'auto', py: 0.5, '& .MuiChip-label': { whiteSpace: 'normal' } }}
      />
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { sx: { p: 2, maxWidth: 360 }, role: 'dialog', 'aria-label': chip.text } }}
      >
        <Typography sx={{ mb: 1 }}>{chip.means}</Typography>
        <Typography sx={{ mb: 1 }}>{chip.next}</Typography>
        <NavLink to={chip.to} onClick={() => setAnchor(null)}>
          Open the page
        </NavLink>
      </Popover>
    </>
  );
}

function Disconnected({ status: { data, dataUpdatedAt } }: { status: Polled<Status> }) {
  const last =
    data === undefined
      ? 'No answer has come yet.'
      : `The last answer came at ${clockSeconds(serverClock.at(dataUpdatedAt), data.timezone)} (${data.timezone}).`;
  return (
    <Tooltip
      title={`${last} The live stream is interrupted; it comes back by itself, and meanwhile this asks every ${pollMs / 1000} seconds.`}
    >
      {/* It takes the focus, so that who uses no pointer reads since when and what happens now. */}
      <Chip size="small" variant="outlined" color="warning" label="Not live" tabIndex={0} data-testid="not-live" />
    </Tooltip>
  );
}
