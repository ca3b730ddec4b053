import { Box, Dialog, InputBase, List, ListItem, ListItemButton, ListItemText, Typography } from '@mui/material';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { useResources, useSettings } from '../data/queries.ts';
import { useUser } from '../session/session-context.tsx';
import { mayOpen, pages } from './pages.ts';
import {
  type Entry,
  findEntries,
  notFoundNote,
  paletteEntries,
  settingEntries,
  workloadEntries,
} from './palette-entries.ts';

const leastLetters = 2;

export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      slotProps={{ paper: { 'aria-label': 'Find a page, an act, a workload or a setting' } }}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
    >
      <PaletteBody onClose={onClose} />
    </Dialog>
  );
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const user = useUser();
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const admin = user?.admin === true;
  // Thousands of rows are asked for only once somebody looks for one.
  const looking = text.trim().length >= leastLetters;
  const workloads = useResources(admin && looking);
  const configuration = useSettings(admin && looking);
  const found = [
    ...findEntries(
      paletteEntries(
        pages.filter((page) => mayOpen(page, user)),
        admin,
      ),
      text,
    ),
    ...(looking ? workloadEntries(workloads.data ?? [], text) : []),
    ...(looking ? settingEntries(configuration.data?.settings ?? [], text) : []),
  ];
  const note = notFoundNote({ found: found.length, reads: admin && looking ? [workloads, configuration] : [] });
  // The focus stays in the field, so the browser does not follow the chosen one by itself.
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);
  const open = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    navigate(entry.to);
    onClose();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open(found[chosen]);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    setChosen((before) => (before + step + found.length) % Math.max(1, found.length));
  };
  return (
    <Box>
      <InputBase
        autoFocus
        fullWidth
        value={text}
        placeholder="Find a page, an act, a workload or a setting"
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={pressed}
        inputProps={{
          'aria-label': 'Find a page, an act, a workload or a setting',
          role: 'combobox',
          'aria-expanded': true,
          'aria-controls': id,
          'aria-activedescendant': found.length === 0 ? undefined : `${id}-${chosen}`,
        }}
        sx={{ px: 2.5, py: 1.5, borderBottom: 1, borderColor: 'divider' }}
      />
      <List id={id} role="listbox" aria-label="Found" dense sx={{ maxHeight: 360, overflow: 'auto', px: 1 }}>
        {found.map((entry, index) => (
          <ListItem key={entry.to} disablePadding role="presentation">
            <ListItemButton
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              selected={index === chosen}
              tabIndex={-1}
              onClick={() => open(entry)}
              sx={{ borderRadius: 1.5 }}
            >
              <ListItemText primary={entry.title} secondary={entry.note} />
            </ListItemButton>
          </ListItem>
        ))}
      </List>
      <Typography role="status" color="textSecondary" sx={{ px: 2.5, pb: note === '' ? 0 : 2 }}>
        {note}
      </Typography>
    </Box>
  );
}
