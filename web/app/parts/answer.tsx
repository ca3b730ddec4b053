import { Skeleton, Stack } from '@mui/material';
import type { ReactNode } from 'react';
import { ApiError } from '../../../src/contract/contract.ts';
import type { Read } from '../data/queries.ts';
import { UnreadableState } from '../unreadable/unreadable-state.tsx';
import { Problem } from './problem.tsx';

interface Props<T> {
  readonly of: Read<T>;
  readonly children: (value: T) => ReactNode;
  /** Lines of the skeleton. */
  readonly lines?: number;
}

/** What was read, or that it is being read, or why it could not be. An old answer is not shown in place of an error. */
export function Answer<T>({ of, children, lines = 3 }: Props<T>) {
  if (of.error !== null) {
    if (of.error instanceof ApiError && of.error.code === 'managed_state_unavailable') {
      return <UnreadableState error={of.error} />;
    }
    return <Problem error={of.error} onRetry={() => void of.refetch()} />;
  }
  if (of.data === undefined) return <Loading lines={lines} />;
  return children(of.data);
}

export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <Stack spacing={1} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a skeleton are all alike
        <Skeleton key={line} variant="rounded" height={28} width={line === lines - 1 ? '60%' : '100%'} />
      ))}
    </Stack>
  );
}
