import { Alert, AlertTitle, Box, Stack, Typography } from '@mui/material';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import type { PreflightCode } from '../../../src/domain/preflight/preflight.ts';
import { type Status, usePreview, useStatus } from '../data/queries.ts';
import { downByOwners } from '../overview/counts.ts';
import { Answer } from '../parts/answer.tsx';
import { Empty } from '../parts/empty.tsx';
import { LongList } from '../parts/long-list.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { counted } from '../parts/time-text.ts';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { Beside } from './beside.tsx';
import { byCode, byReason } from './grouping.ts';

type Preview = AnswerOf<'preview'>;

export function TonightPage() {
  const preview = usePreview();
  const { data, error } = useStatus();
  const status = error === null ? data : undefined;
  return (
    <Page title="Tonight" lead="What the next hibernation would touch and what not, before it does.">
      <Answer of={preview} lines={6}>
        {(value) => <Tonight preview={value} status={status} />}
      </Answer>
    </Page>
  );
}

export function Tonight({ preview, status }: { preview: Preview; status: Status | undefined }) {
  const zone = status?.timezone ?? 'UTC';
  const down = status?.workloads.down ?? 0;
  const stopped = status !== undefined && status.causes.length > 0;
  const { tiers, touched, at, skipped, warnings, wouldAdd, cut } = preview;
  return (
    <Stack spacing={3}>
      <Section>
        {stopped ? <Stopped by={status} /> : null}
        <Typography sx={stopped ? { mt: 1 } : { fontSize: '1.2rem', fontWeight: 600 }}>
          {stopped ? 'Once that has ended, ' : ''}
          {counted(touched, 'workload')} would be scaled to zero or suspended
          {at === undefined ? ', once the schedule has a closing time.' : ' at '}
          {at === undefined ? null : <ZonedTime at={at} zone={zone} />}
        </Typography>
        {[...downByOwners(down), ...wouldAdd.map(({ text }) => `${text}.`)].map((line) => (
          <Typography key={line} color="textSecondary" sx={{ mt: 0.5 }}>
            {line}
          </Typography>
        ))}
        {cut ? (
          <Alert severity="info" sx={{ mt: 2 }}>
            The lists below are cut; the counts are whole.
          </Alert>
        ) : null}
      </Section>
      <Section title="Before it happens" note="What an operator should know; none of it stops the hibernation.">
        {warnings.length === 0 ? (
          <Empty title="Nothing to warn about" />
        ) : (
          <Stack spacing={1.5}>
            {byCode(warnings).map(({ code, texts }) => (
              <Alert key={code} severity="warning" sx={{ '& .MuiAlert-message': { minWidth: 0, flex: 1 } }}>
                <AlertTitle>
                  {warningTitles[code] ?? code} ({counted(texts.length, 'workload')})
                </AlertTitle>
                <LongList items={texts} />
              </Alert>
            ))}
          </Stack>
        )}
      </Section>
      <Section title="Would be touched, in this order">
        {touched === 0 ? (
          <Empty title="Nothing is up that would go down" />
        ) : (
          <Stack component="ol" spacing={2} sx={{ m: 0, pl: 3 }}>
            {tiers.map(({ name, workloads }) => (
              <Box component="li" key={name}>
                <Typography sx={{ fontWeight: 600 }}>
                  {name} ({counted(workloads.length, 'workload')})
                </Typography>
                <LongList items={workloads} />
              </Box>
            ))}
          </Stack>
        )}
      </Section>
      <Beside databases={preview.databases} redirects={preview.redirects} hosts={preview.hosts} />
      <Section title="Would be left alone, and why">
        {skipped.length === 0 ? (
          <Empty title="Nothing is left alone" />
        ) : (
          <Stack spacing={2}>
            {byReason(skipped).map(({ reason, workloads }) => (
              <Box key={reason}>
                <Typography sx={{ fontWeight: 600 }}>
                  {reason} ({counted(workloads.length, 'workload')})
                </Typography>
                <LongList items={workloads} />
              </Box>
            ))}
          </Stack>
        )}
      </Section>
    </Stack>
  );
}

/** While nothing is scaled, the plan is what would be and not what will be. */
function Stopped({ by: { standDown, license, timezone } }: { by: Status }) {
  return (
    <Typography sx={{ fontSize: '1.2rem', fontWeight: 600 }} data-testid="nothing-tonight">
      Nothing would be scaled:{' '}
      {standDown === null ? (
        (license.chip?.text ?? 'the license does not let the service act')
      ) : (
        <>
          stood down by {standDown.actor} since <ZonedTime at={standDown.at} zone={timezone} />
        </>
      )}
    </Typography>
  );
}

const warningTitles: Readonly<Record<string, string>> = {
  webhook_backend_sleeps: 'A webhook would sleep and block the wake',
  deletes_volumes: 'Deletes volumes',
  gitops_self_heal: 'Self-heal would undo it',
  no_startup_probe: 'No start-up probe',
  autoscaler_from_zero: 'Autoscaler from zero',
} satisfies Record<PreflightCode, string>;
