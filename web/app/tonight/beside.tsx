import { Box, Stack, Typography } from '@mui/material';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { Empty } from '../parts/empty.tsx';
import { LongList } from '../parts/long-list.tsx';
import { Section } from '../parts/section.tsx';

type Preview = AnswerOf<'preview'>;

/** What the night touches besides workloads: a list each, and none where nothing is configured. */
export function Beside({ databases, redirects, hosts }: Pick<Preview, 'databases' | 'redirects' | 'hosts'>) {
  const standIns = redirects.filter(({ reason }) => reason === undefined);
  const leftOut = redirects.filter(({ reason }) => reason !== undefined);
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['Databases to be stopped', databases],
    ['Services to be pointed at satellites', standIns.map(({ service }) => service)],
    ['Services that get no satellite, and why', leftOut.map(({ service, reason }) => `${service}: ${reason}`)],
    ['Hosting clusters, told that they may sleep and asked by the next wake', hosts],
  ];
  const filled = lists.filter(([, items]) => items.length > 0);
  return (
    <Section title="Besides workloads">
      {filled.length === 0 ? (
        <Empty title="No databases, redirected services or hosting clusters are configured" />
      ) : (
        <Stack spacing={2}>
          {filled.map(([title, items]) => (
            <Box key={title}>
              <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
              <LongList items={items} />
            </Box>
          ))}
        </Stack>
      )}
    </Section>
  );
}
