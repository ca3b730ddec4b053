import { Stack, Typography } from '@mui/material';
import { useRoute } from 'wouter';
import { WorkloadLines } from '../activity/entry-row.tsx';
import { triggerText } from '../activity/words.ts';
import { useAudit, useStatus } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { Empty } from '../parts/empty.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { NavLink } from '../parts/nav-link.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { spanText } from '../parts/time-text.ts';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { WorkloadSentence } from '../resources/workload-sentence.tsx';
import { transitionRoute } from './address.ts';
import { TierSpans } from './critical-path.tsx';
import { endsOfTransitions, type PastTransition, pastTransition } from './past.ts';
import { withLongest } from './ranking.ts';

/** One wake or hibernation that is over, from the log: it stays when the page of the running one has moved on. */
export function PastTransitionPage() {
  const [, params] = useRoute(transitionRoute);
  const id = decodeURIComponent(params?.id ?? '');
  const audit = useAudit(endsOfTransitions);
  const zone = useStatus().data?.timezone ?? 'UTC';
  const entry = audit.data?.entries.find((one) => one.id === id);
  return (
    <Page
      title={entry?.title ?? 'Past transition'}
      lead={
        <NavLink to="/wake" color="inherit">
          All transitions
        </NavLink>
      }
    >
      <Answer of={audit}>
        {() => {
          const past = entry === undefined ? undefined : pastTransition(entry);
          if (past === undefined)
            return <Empty title="There is no such transition">It may be older than the log that is kept.</Empty>;
          return <Transition past={past} zone={zone} />;
        }}
      </Answer>
    </Page>
  );
}

export function Transition({ past, zone }: { past: PastTransition; zone: string }) {
  const { entry, tiers, kind } = past;
  const { workloads_failed_detail: failed = [], workloads_recovered_detail: recovered = [] } = entry;
  return (
    <Stack spacing={3}>
      <Section title="How it went">
        <Facts facts={factsOf(past, zone)} />
      </Section>
      <Section title="Verdicts" note="As everybody was told. The list is never cut.">
        {failed.length + recovered.length === 0 ? (
          <Typography>
            {kind === 'wake' ? 'No workload failed, and none had to recover.' : 'No workload refused to go down.'}
          </Typography>
        ) : (
          <WorkloadLines entry={entry} />
        )}
        <StillStarting past={past} />
      </Section>
      {kind === 'hibernation' ? null : (
        <Section title="Where the time went" note="The longest tier is what to shorten first.">
          {tiers.length === 0 ? (
            <Empty title="The log has no tiers of this wake">
              It was written by an earlier release, or had nothing to wait for.
            </Empty>
          ) : (
            <TierSpans spans={withLongest(tiers.map(({ tier, ...step }) => ({ name: tier, ...step })))} />
          )}
        </Section>
      )}
    </Stack>
  );
}

function StillStarting({ past: { entry } }: { past: PastTransition }) {
  const listed = entry.details?.['still_starting'];
  if (!Array.isArray(listed) || listed.length === 0) return null;
  return (
    <Stack component="ul" spacing={0.5} sx={{ m: 0, mt: 1.5, pl: 2.5 }}>
      {listed.map(String).map((line) => (
        <Typography component="li" variant="body2" key={line} sx={{ overflowWrap: 'anywhere' }}>
          <WorkloadSentence text={line.slice(0, line.lastIndexOf(': '))} /> was still starting when it ended
        </Typography>
      ))}
    </Stack>
  );
}

function factsOf({ entry, ms, endedAt }: PastTransition, zone: string): readonly Fact[] {
  const { details = {}, trigger, result, actor } = entry;
  const figure = (name: string) => (typeof details[name] === 'number' ? (details[name] as number) : undefined);
  const [up, of, cronJobs] = [figure('up'), figure('waited_for'), figure('cron_jobs')];
  const named = details['resources'];
  return [
    ['Began', <ZonedTime key="began" at={endedAt - ms} zone={zone} />],
    ['Ended', <ZonedTime key="ended" at={endedAt} zone={zone} />],
    ['Took', spanText(ms)],
    ['By', actor],
    ...(trigger === undefined ? [] : [['Trigger', triggerText(trigger)] as const]),
    ...(Array.isArray(named) ? [['Of these alone', named.join(', ')] as const] : []),
    ...(result === undefined ? [] : [['Result', result] as const]),
    ...(up === undefined
      ? []
      : [['Up', of === undefined ? String(up) : `${up} of the ${of} that it waited for`] as const]),
    ...(cronJobs === undefined || cronJobs === 0
      ? []
      : [['CronJobs', `${cronJobs} resumed, without waiting`] as const]),
    [
      'In the log',
      <NavLink key="log" to={`/activity/${encodeURIComponent(entry.id)}`}>
        Its entry
      </NavLink>,
    ],
  ];
}
