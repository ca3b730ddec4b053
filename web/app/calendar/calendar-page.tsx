import { Button, Stack, Table, TableBody, TableCell, TableContainer, TableHead, TableRow } from '@mui/material';
import { useLocation, useSearch } from 'wouter';
import { type Schedule, useSchedule } from '../data/queries.ts';
import { WeekSection } from '../overview/week-section.tsx';
import { Answer } from '../parts/answer.tsx';
import { Empty } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { useUser } from '../session/session-context.tsx';
import { MonthGrid } from './month-grid.tsx';
import { OverrideDialog } from './override-dialog.tsx';
import { RemoveOverride } from './remove-override.tsx';

const shownDays = 42;

export function CalendarPage() {
  const schedule = useSchedule(shownDays);
  const admin = useUser()?.admin === true;
  const [path, navigate] = useLocation();
  const query = new URLSearchParams(useSearch());
  const date = query.get('date') ?? '';
  const setting = query.get('set') !== null;
  const edit = (day: string) => navigate(`${path}?set=1&date=${day}`);
  return (
    <Page
      title="Calendar"
      lead="The hours of the coming weeks, with holidays and the dates that somebody changed."
      actions={
        admin ? (
          <Button variant="contained" onClick={() => edit('')}>
            Set other hours for a date
          </Button>
        ) : undefined
      }
    >
      <Answer of={schedule} lines={8}>
        {(value) => (
          <Stack spacing={3}>
            <WeekSection schedule={{ ...value, plan: { ...value.plan, days: value.plan.days.slice(0, 7) } }} />
            <Section title="Coming weeks" note={`Hours by the clock of ${value.plan.timezone}`}>
              <MonthGrid days={value.plan.days} onChoose={admin ? edit : undefined} />
            </Section>
            <Overrides schedule={value} admin={admin} onEdit={edit} />
            <Section title="Every week">
              <Facts
                facts={Object.entries(value.week).map(([day, hours]) => [day, `${hours} (${value.plan.timezone})`])}
              />
            </Section>
            {setting && admin ? (
              <OverrideDialog
                key={date}
                date={date}
                schedule={value}
                onClose={() => navigate(path, { replace: true })}
              />
            ) : null}
          </Stack>
        )}
      </Answer>
    </Page>
  );
}

interface OverridesProps {
  readonly schedule: Schedule;
  readonly admin: boolean;
  readonly onEdit: (date: string) => void;
}

function Overrides({ schedule, admin, onEdit }: OverridesProps) {
  const { overrides, plan } = schedule;
  return (
    <Section title="Changed dates" flush>
      {overrides.length === 0 ? (
        <Empty title="No date has other hours than its weekday" />
      ) : (
        <TableContainer tabIndex={0}>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>Date</TableCell>
                <TableCell>Hours ({plan.timezone})</TableCell>
                <TableCell>By</TableCell>
                <TableCell>Reason</TableCell>
                {admin ? <TableCell align="right">Change</TableCell> : null}
              </TableRow>
            </TableHead>
            <TableBody>
              {overrides.map(({ date, hours, by, at, reason }) => (
                <TableRow key={date}>
                  <TableCell>{date}</TableCell>
                  <TableCell>{hours}</TableCell>
                  <TableCell>
                    {by}, <ZonedTime at={at} zone={plan.timezone} />
                  </TableCell>
                  <TableCell>{reason ?? ''}</TableCell>
                  {admin ? (
                    <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                      <Button size="small" onClick={() => onEdit(date)}>
                        Edit
                      </Button>
                      <RemoveOverride date={date} />
                    </TableCell>
                  ) : null}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      )}
    </Section>
  );
}
