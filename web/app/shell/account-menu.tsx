import { Divider, IconButton, ListItemText, Menu, MenuItem, Tooltip } from '@mui/material';
import { useState } from 'react';
import { Offline } from '../data/time-limit.ts';
import { PersonIcon } from '../icons.tsx';
import { useSession, useUser } from '../session/session-context.tsx';
import { menuPlace } from './menu-place.ts';
import { notSignedOut } from './not-signed-out.ts';
import { useToast } from './toast.tsx';

export function AccountMenu() {
  const session = useSession();
  const user = useUser();
  const toast = useToast();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const signOut = async () => {
    close();
    try {
      if (!navigator.onLine) throw new Offline();
      await session.signOut();
    } catch (error) {
      toast(notSignedOut(error), 'error');
    }
  };
  return (
    <>
      <Tooltip title={user?.email ?? 'Account'}>
        <IconButton
          aria-label="Account"
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <PersonIcon />
        </IconButton>
      </Tooltip>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close} slotProps={menuPlace('Account')}>
        <MenuItem component="a" href="#/account" onClick={close}>
          <ListItemText primary={user?.email} secondary={user?.admin ? 'Admin' : 'Signed in, not an admin'} />
        </MenuItem>
        <Divider />
        <MenuItem onClick={() => void signOut()}>Sign out</MenuItem>
      </Menu>
    </>
  );
}
