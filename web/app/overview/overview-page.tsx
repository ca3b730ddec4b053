import { Stack } from '@mui/material';
import { useSchedule, useStatus } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { useUser } from '../session/session-context.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { RunningTransition } from './running-transition.tsx';
import { StatusCard } from './status-card.tsx';
import { WeekSection } from './week-section.tsx';

const week = 7;

export function OverviewPage() {
  const status = useStatus();
  const schedule = useSchedule(week);
  const member = useUser()?.member === true;
  return (
    <Page title="Overview">
      <Answer of={status}>
        {(value) => (
          <Stack spacing={3}>
            <StatusCard status={value} read={status} />
            {value.transition === null ? null : <RunningTransition status={value} />}
            {member ? (
              <Answer of={schedule} lines={7}>
                {(plan) => <WeekSection schedule={plan} />}
              </Answer>
            ) : null}
            <RecentActivity zone={value.timezone} />
          </Stack>
        )}
      </Answer>
    </Page>
  );
}
