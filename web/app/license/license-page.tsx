import { Alert, Chip, Stack } from '@mui/material';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { useLicense, useStatus } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';

type License = AnswerOf<'license'>;

const words: Readonly<Record<License['verdict'], string>> = {
  licensed: 'Licensed',
  unverified: 'The check cannot tell; the service still acts',
  check_failed: 'License check failed',
  unlicensed: 'Unlicensed',
};

export function LicensePage() {
  const license = useLicense();
  const zone = useStatus().data?.timezone ?? 'UTC';
  return (
    <Page
      title="License"
      lead="With an unlicensed or failed check the service wakes everything it scaled down and scales nothing."
    >
      <Answer of={license}>{(value) => <Verdict license={value} zone={zone} />}</Answer>
    </Page>
  );
}

function Verdict({ license, zone }: { license: License; zone: string }) {
  const time = (name: string, at: string | undefined): readonly Fact[] =>
    at === undefined ? [] : [[name, <ZonedTime key={name} at={at} zone={zone} />]];
  const text = (name: string, value: string | undefined): readonly Fact[] =>
    value === undefined ? [] : [[name, value]];
  const facts: Fact[] = [
    [
      'Verdict',
      <Chip
        key="verdict"
        size="small"
        variant="outlined"
        color={license.acts ? 'success' : 'error'}
        label={words[license.verdict]}
      />,
    ],
    ['Scales', license.acts ? 'yes' : 'no'],
    ['Reason', license.reason],
    ...text('Licensee', license.licensee),
    ...text('License id', license.id),
    ...time('Issued', license.issuedAt),
    ...time('Expires', license.expiresAt),
    ...time('Last good check', license.lastLicensedAt),
    ...time('Stops acting', license.stopAt),
  ];
  return (
    <Stack spacing={3}>
      {license.chip === null ? null : (
        <Alert severity={license.chip.color === 'red' ? 'error' : 'warning'}>
          {license.chip.text}: {license.chip.detail}
        </Alert>
      )}
      <Section title="Verdict">
        <Facts facts={facts} />
      </Section>
    </Stack>
  );
}
