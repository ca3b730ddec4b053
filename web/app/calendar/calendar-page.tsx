import { Box, Button, Stack, Typography } from '@mui/material';
import { useLocation } from 'wouter';
import { type Schedule, useSchedule } from '../data/queries.ts';
import { useHashSearch } from '../hash-location.ts';
import { WeekSection } from '../overview/week-section.tsx';
import { Answer } from '../parts/answer.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { useUser } from '../session/session-context.tsx';
import { CalendarAddresses } from './calendar-addresses.tsx';
import { MonthGrid } from './month-grid.tsx';
import { OverrideDialog } from './override-dialog.tsx';
import { RemoveOverride } from './remove-override.tsx';
import { type SpecialDay, specialDays } from './special-days.ts';

const shownDays = 42;

export function CalendarPage() {
  const schedule = useSchedule(shownDays);
  const admin = useUser()?.admin === true;
  const [path, navigate] = useLocation();
  const query = new URLSearchParams(useHashSearch());
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
            <SpecialDates schedule={value} onEdit={admin ? edit : undefined} />
            <Overrides schedule={value} admin={admin} onEdit={edit} />
            <CalendarAddresses />
            <Section title="Every week">
              <Facts
                facts={Object.entries(value.week).map(([day, hours]) => [
                  capital(day),
                  `${hours} (${value.plan.timezone})`,
                ])}
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

/** Holidays by name and region, changed dates and clock changes in one list, which a phone can show whole. */
function SpecialDates({ schedule, onEdit }: { schedule: Schedule; onEdit: ((date: string) => void) | undefined }) {
  const { plan } = schedule;
  const days = specialDays(plan.days);
  return (
    <Section title="Holidays and other special dates" note={`Of the coming ${plan.days.length} days`} flush>
      {days.length === 0 ? (
        <Empty title="Every coming date is like its weekday">
          Holidays are those of the regions in <code>config.holidays.regions</code>.
        </Empty>
      ) : (
        <DataTable
          label="Holidays and other special dates"
          rows={days}
          keyOf={({ date }) => date}
          columns={[
            { name: 'Date', of: ({ date, weekday }) => `${capital(weekday)} ${date}` },
            {
              name: 'What',
              of: ({ what, onlyShown, date }) => (
                <>
                  {what.map((one) => (
                    <Box key={one} sx={{ overflowWrap: 'anywhere' }}>
                      {one}
                    </Box>
                  ))}
                  {onlyShown && hasHoliday(plan.days, date) ? (
                    <Typography variant="caption" color="textSecondary">
                      Shown only: its hours stay
                    </Typography>
                  ) : null}
                </>
              ),
            },
            { name: `Hours (${plan.timezone})`, of: ({ hours }) => hours },
            ...(onEdit === undefined
              ? []
              : [
                  {
                    name: 'Change',
                    align: 'right' as const,
                    of: ({ date }: SpecialDay) => (
                      <Button size="small" onClick={() => onEdit(date)} aria-label={`Set hours for ${date}`}>
                        Set hours
                      </Button>
                    ),
                  },
                ]),
          ]}
        />
      )}
    </Section>
  );
}

function hasHoliday(days: Schedule['plan']['days'], date: string): boolean {
  return days.some((day) => day.date === date && day.holidays.length > 0);
}

function capital(weekday: string): string {
  return weekday.slice(0, 1).toUpperCase() + weekday.slice(1);
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
        <Empty title="Nobody has changed the hours of a date" />
      ) : (
        <DataTable
          label="Changed dates"
          rows={overrides}
          keyOf={({ date }) => date}
          columns={[
            { name: 'Date', of: ({ date }) => <span style={{ whiteSpace: 'nowrap' }}>{date}</span> },
            { name: `Hours (${plan.timezone})`, of: ({ hours }) => hours },
            {
              name: 'By',
              of: ({ by, at }) => (
                <>
                  {by}, <ZonedTime at={at} zone={plan.timezone} />
                </>
              ),
            },
            { name: 'Reason', of: ({ reason }) => reason ?? null },
            ...(admin
              ? [
                  {
                    name: 'Change',
                    align: 'right' as const,
                    of: ({ date }: Override) => <Change date={date} onEdit={onEdit} />,
                  },
                ]
              : []),
          ]}
        />
      )}
    </Section>
  );
}

type Override = Schedule['overrides'][number];

function Change({ date, onEdit }: { date: string; onEdit: (date: string) => void }) {
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
      <Button size="small" onClick={() => onEdit(date)}>
        Edit
      </Button>
      <RemoveOverride date={date} />
    </Box>
  );
}
