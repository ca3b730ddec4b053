import { Alert, Stack, Typography } from '@mui/material';
import { useRoute } from 'wouter';
import { runsPods } from '../../../src/domain/kinds/kinds.ts';
import { useStatus, useTransition, useWorkload, type WorkloadAnswer } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { Command } from '../parts/command.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { NavLink } from '../parts/nav-link.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { commandsFor } from './by-hand.ts';
import { countText } from './resource-table.tsx';
import { RetryWorkload } from './retry-workload.tsx';
import { saidNow } from './said-now.ts';
import { StateMark } from './state-mark.tsx';
import { EventList } from './workload-events.tsx';
import { workloadRoute } from './workload-name.ts';
import { PastNights } from './workload-past.tsx';
import { PodList } from './workload-pods.tsx';

/** One workload under an address of its own: what it is, why, what its pods say now, and how its nights went. */
export function WorkloadPage() {
  const [, params] = useRoute(workloadRoute);
  const part = (name: 'kind' | 'namespace' | 'name') => decodeURIComponent(params?.[name] ?? '');
  const [kind, namespace, name] = [part('kind'), part('namespace'), part('name')];
  const read = useWorkload({ kind, namespace, name });
  const zone = useStatus().data?.timezone ?? 'UTC';
  return (
    <Page
      title={`${namespace}/${name}`}
      lead={
        <>
          {kind}.{' '}
          <NavLink to="/resources" color="inherit">
            All resources
          </NavLink>
        </>
      }
      actions={read.data === undefined ? undefined : <RetryWorkload workload={read.data} />}
    >
      <Answer of={read} lines={8}>
        {(workload) => <Parts workload={workload} zone={zone} />}
      </Answer>
    </Page>
  );
}

export function Parts({ workload, zone }: { workload: WorkloadAnswer; zone: string }) {
  const { kind, pods, events, past } = workload;
  return (
    <Stack spacing={3}>
      <Section title="Now, and why">
        <Stack spacing={2}>
          <Stack spacing={0.75} data-testid="why">
            {workload.sentences.map((sentence) => (
              <Typography key={sentence} sx={{ overflowWrap: 'anywhere' }}>
                {sentence}
              </Typography>
            ))}
          </Stack>
          <SaidNow workload={workload} />
          <Facts facts={factsOf(workload, zone)} />
        </Stack>
      </Section>
      {!runsPods(kind) ? null : (
        <Section title="Pods now" note="Read from the cluster when this page asked, those that are not ready first.">
          <PartProblem what="pods" problem={pods.problem} />
          {pods.problem === undefined ? <PodList pods={pods} zone={zone} /> : null}
        </Section>
      )}
      <Section
        title="Last events"
        note="Of the workload, of what it owns, and of its pods; the cluster keeps them for an hour or so."
      >
        <PartProblem what="events" problem={events.problem} />
        {events.problem === undefined ? <EventList events={events} zone={zone} /> : null}
      </Section>
      <Section title="Its last nights" note="Wakes and hibernations, and what each said of it.">
        <PartProblem what="audit log" problem={past.problem} />
        {past.problem === undefined ? <PastNights past={past} zone={zone} /> : null}
      </Section>
      <ByHand workload={workload} />
    </Stack>
  );
}

function SaidNow({ workload }: { workload: WorkloadAnswer }) {
  const sentence = saidNow(workload, useTransition().data?.frame);
  if (sentence === undefined) return null;
  return (
    <Alert severity="info">
      <NavLink to="/wake" color="inherit">
        The wake that runs now
      </NavLink>{' '}
      says: {sentence}
    </Alert>
  );
}

function factsOf({ resource, recorded, skipped, tiers }: WorkloadAnswer, zone: string): readonly Fact[] {
  return [
    ['State', <StateMark key="state" state={resource?.state ?? 'excluded'} />],
    ...(resource === null ? [] : [['Now / recorded', countText({ managed: resource })] as const]),
    ...(recorded === null ? [] : [['Recorded at', <ZonedTime key="at" at={recorded.at} zone={zone} />] as const]),
    ...(resource?.owner === undefined ? [] : [['Also driven by', resource.owner] as const]),
    ...(tiers === undefined ? [] : [['Tier', `${tiers.wake} on a wake, ${tiers.hibernate} on a hibernation`] as const]),
    ...(skipped === undefined ? [] : [['Left alone because', skipped.text] as const]),
  ];
}

function PartProblem({ what, problem }: { what: string; problem: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <Alert severity="warning">
      The {what} could not be read: {problem}
    </Alert>
  );
}

function ByHand({ workload }: { workload: WorkloadAnswer }) {
  return (
    <Section title="See for yourself">
      <Stack spacing={1.5}>
        {commandsFor(workload).map(({ answers, line }) => (
          <Stack key={line} spacing={0.25}>
            <Typography variant="body2" color="textSecondary">
              {answers}
            </Typography>
            <Command text={line} />
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}
