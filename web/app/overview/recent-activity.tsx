import { List, ListItem, ListItemText } from '@mui/material';
import { EntrySign } from '../activity/entry-sign.tsx';
import { useAudit } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { Empty } from '../parts/empty.tsx';
import { NavLink } from '../parts/nav-link.tsx';
import { Section } from '../parts/section.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { useUser } from '../session/session-context.tsx';

const newest = { limit: '5' };

export function RecentActivity({ zone }: { zone: string }) {
  const admin = useUser()?.admin === true;
  const audit = useAudit(newest, admin);
  if (!admin) return null;
  return (
    <Section title="Latest activity" actions={<NavLink to="/activity">All activity</NavLink>} flush>
      <Answer of={audit}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty title="Nothing has happened yet" />
          ) : (
            <List dense sx={{ pb: 1 }}>
              {entries.map((entry) => (
                <ListItem key={entry.id} sx={{ gap: 1.5, alignItems: 'flex-start' }}>
                  <EntrySign entry={entry} />
                  <ListItemText
                    primary={<NavLink to={`/activity/${encodeURIComponent(entry.id)}`}>{entry.title}</NavLink>}
                    secondary={
                      <>
                        {entry.actor}, <ZonedTime at={entry.at} zone={zone} />
                      </>
                    }
                  />
                </ListItem>
              ))}
            </List>
          )
        }
      </Answer>
    </Section>
  );
}
