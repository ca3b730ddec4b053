import { List, ListItem, ListItemButton, ListItemIcon, ListItemText } from '@mui/material';
import { useLocation } from 'wouter';
import { useUser } from '../session/session-context.tsx';
import { pages } from './pages.ts';

export function Navigation({ label }: { label: string }) {
  const [path] = useLocation();
  const user = useUser();
  const shown = pages.filter(({ admin }) => !admin || user?.admin);
  return (
    <nav aria-label={label}>
      <List dense sx={{ px: 1, py: 1.5 }}>
        {shown.map(({ path: to, title, icon: Icon }) => {
          const current = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
          return (
            <ListItem key={to} disablePadding>
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
        })}
      </List>
    </nav>
  );
}
