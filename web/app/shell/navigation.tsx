import { List, ListItem, ListItemButton, ListItemIcon, ListItemText, Typography } from '@mui/material';
import { useId } from 'react';
import { useLocation } from 'wouter';
import { useUser } from '../session/session-context.tsx';
import { mayOpen, type PageEntry, pageGroups, pages } from './pages.ts';

export function Navigation({ label }: { label: string }) {
  const user = useUser();
  const shown = pages.filter((page) => mayOpen(page, user));
  return (
    <nav aria-label={label}>
      {pageGroups.map((group) => (
        <Group key={group} name={group} pages={shown.filter((page) => page.group === group)} />
      ))}
    </nav>
  );
}

function Group({ name, pages: entries }: { name: string; pages: readonly PageEntry[] }) {
  const id = useId();
  if (entries.length === 0) return null;
  return (
    <>
      <Typography id={id} variant="body2" color="textSecondary" sx={{ px: 2.5, pt: 1.25, fontWeight: 650 }}>
        {name}
      </Typography>
      <List dense aria-labelledby={id} sx={{ px: 1, py: 0.5 }}>
        {entries.map((page) => (
          <Item key={page.path} page={page} />
        ))}
      </List>
    </>
  );
}

function Item({ page: { path: to, title, icon: Icon } }: { page: PageEntry }) {
  const [path] = useLocation();
  const current = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
  return (
    <ListItem disablePadding>
      <ListItemButton
        component="a"
        href={`#${to}`}
        selected={current}
        aria-current={current ? 'page' : undefined}
        sx={{ borderRadius: 2, mb: 0.25 }}
      >
        <ListItemIcon sx={{ minWidth: 36, color: current ? 'primary.main' : 'text.secondary' }}>
          <Icon />
        </ListItemIcon>
        <ListItemText primary={title} slotProps={{ primary: { sx: { fontWeight: current ? 650 : 500 } } }} />
      </ListItemButton>
    </ListItem>
  );
}
