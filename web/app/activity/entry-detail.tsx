import { Stack } from '@mui/material';
import type { AuditEntry } from '../data/queries.ts';
import { useAuditEntry } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { Empty } from '../parts/empty.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { NavLink } from '../parts/nav-link.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { spanText } from '../parts/time-text.ts';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { transitionAddress } from '../wake/address.ts';
import { pastTransition } from '../wake/past.ts';
import { WorkloadLines } from './entry-row.tsx';
import { detailName, detailText, triggerText } from './words.ts';

/** One entry under an address of its own. */
export function EntryDetail({ id, zone }: { id: string; zone: string }) {
  const found = useAuditEntry(id);
  return (
    <Page
      title="Activity"
      lead={
        <NavLink to="/activity" color="inherit">
          All activity
        </NavLink>
      }
    >
      <Answer of={found}>
        {(entry) => {
          if (entry === null)
            return <Empty title="There is no such entry">It may be older than the log that is kept.</Empty>;
          return (
            <Section title={entry.title}>
              <Stack spacing={2}>
                <Facts facts={factsOf(entry, zone)} />
                <WorkloadLines entry={entry} />
              </Stack>
            </Section>
          );
        }}
      </Answer>
    </Page>
  );
}

function factsOf(entry: AuditEntry, zone: string): readonly Fact[] {
  const {
    at,
    actor,
    trigger,
    reason,
    result,
    completeness,
    durationMs,
    workloads_recovered: recovered,
    details,
    id,
  } = entry;
  const optional: readonly (Fact | undefined)[] = [
    ['At', <ZonedTime key="at" at={at} zone={zone} />],
    ['By', actor],
    trigger === undefined ? undefined : ['Trigger', triggerText(trigger)],
    reason === undefined ? undefined : ['Reason', reason],
    result === undefined ? undefined : ['Result', result],
    completeness === undefined ? undefined : ['Completeness', completeness],
    durationMs === undefined ? undefined : ['Took', spanText(durationMs)],
    recovered === undefined ? undefined : ['Recovered', String(recovered)],
    ...Object.entries(details ?? {}).map(([name, value]): Fact => [detailName(name), detailText(value)]),
    pastTransition(entry) === undefined
      ? undefined
      : [
          'Its page',
          <NavLink key="page" to={transitionAddress(id)}>
            Tiers and verdicts
          </NavLink>,
        ],
    ['Id', <code key="id">{id}</code>],
  ];
  return optional.filter((fact) => fact !== undefined);
}
