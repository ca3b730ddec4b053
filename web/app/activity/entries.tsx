import { Alert, Box, Button, Stack, Typography } from '@mui/material';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { keys } from '../data/keys.ts';
import { readNewest } from '../data/log.ts';
import { type AuditEntry, type AuditFilter, useNewestAudit, useReadAudit } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { Empty } from '../parts/empty.tsx';
import { actErrorText } from '../parts/problem.tsx';
import { Section } from '../parts/section.tsx';
import { EntryRow } from './entry-row.tsx';
import { firstAdded, type Shown, shownOf, step } from './shown.ts';

/** The newest hundred, and a hundred more each time that somebody asks: a thousand at once would be slow to open and to scroll. */
export function Entries({ query, zone }: { query: AuditFilter; zone: string }) {
  const [count, setCount] = useState(step);
  const [added, setAdded] = useState<string>();
  const newest = useNewestAudit(query, count);
  const read = useReadAudit(query);
  const cache = useQueryClient();
  const more = useMutation({
    mutationFn: () => readNewest(read(), count + step),
    onSuccess: async (log) => {
      // An answer for fewer that is on its way would take them away again.
      await cache.cancelQueries({ queryKey: keys.audit(query), exact: true });
      const before = newest.data === undefined ? [] : shownOf(newest.data, count).entries;
      // Who has gone on to something else meanwhile stays there.
      const waits = document.activeElement?.closest('[data-more]') ?? null;
      cache.setQueryData(keys.audit(query), log);
      setCount(count + step);
      setAdded(waits === null ? undefined : firstAdded(before, log.entries));
    },
  });
  return (
    <Section flush>
      <Answer of={newest} lines={8}>
        {(log) => {
          const shown = shownOf(log, count);
          if (shown.entries.length === 0)
            return <Empty title="Nothing fits">No entry fits the filters, or nothing has happened yet.</Empty>;
          return (
            <Stack>
              <Rows entries={shown.entries} zone={zone} added={added} />
              {log.unreadable > 0 ? (
                <Typography variant="body2" color="textSecondary" sx={{ p: 2 }}>
                  {log.unreadable} lines of the log are no entries and are left out.
                </Typography>
              ) : null}
              {more.error === null ? null : (
                <Alert severity="error">No more entries could be read. {actErrorText(more.error)}</Alert>
              )}
              <More shown={shown} busy={more.isPending} onMore={() => more.mutate()} />
            </Stack>
          );
        }}
      </Answer>
    </Section>
  );
}

interface RowsProps {
  readonly entries: readonly AuditEntry[];
  readonly zone: string;
  /** The first of those that somebody asked for: who did goes on reading there. */
  readonly added: string | undefined;
}

function Rows({ entries, zone, added }: RowsProps) {
  const list = useRef<HTMLElement>(null);
  const place = added === undefined ? -1 : entries.findIndex(({ id }) => id === added);
  const there = place >= 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for those that were added, wherever later ones move them to
  useLayoutEffect(() => {
    if (there) list.current?.children[place]?.querySelector('a')?.focus();
  }, [added, there]);
  return (
    <Box ref={list}>
      {entries.map((entry) => (
        <EntryRow key={entry.id} entry={entry} zone={zone} />
      ))}
    </Box>
  );
}

interface MoreProps {
  readonly shown: Shown;
  readonly busy: boolean;
  readonly onMore: () => void;
}

function More({ shown: { words, next }, busy, onMore }: MoreProps) {
  const id = useId();
  return (
    <Stack
      direction="row"
      sx={{ px: 2, py: words === '' ? 0 : 1.5, columnGap: 2, rowGap: 1, flexWrap: 'wrap', alignItems: 'center' }}
    >
      {/* Always there: a region that comes with its text is not heard. */}
      <Typography variant="body2" color="textSecondary" role="status" id={id}>
        {words}
      </Typography>
      {next === 0 ? null : (
        // Not disabled while it waits: it would lose the focus.
        <Button data-more aria-describedby={id} aria-disabled={busy} onClick={busy ? undefined : onMore}>
          {busy ? 'Being read …' : `Show ${next} more`}
        </Button>
      )}
    </Stack>
  );
}
