import { IconButton, Menu, MenuItem, Tooltip, useColorScheme } from '@mui/material';
import { useState } from 'react';
import { ThemeIcon } from '../icons.tsx';
import { menuPlace } from './menu-place.ts';

const modes = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['system', 'As the system'],
] as const;

export function ModeMenu() {
  const { mode, setMode } = useColorScheme();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Tooltip title="Light or dark">
        <IconButton
          aria-label="Light or dark"
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <ThemeIcon />
        </IconButton>
      </Tooltip>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={menuPlace('Light or dark')}
      >
        {modes.map(([value, label]) => (
          <MenuItem
            key={value}
            selected={mode === value}
            onClick={() => {
              setMode(value);
              setAnchor(null);
            }}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
