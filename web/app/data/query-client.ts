import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../src/contract/contract.ts';
import { NoAnswerInTime } from './time-limit.ts';

const retries = 2;

/** An answer of the API is an answer; only what never arrived is asked for again at once, and acts never are. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Without it a request made offline would wait for the connection: reads say so instead, and acts must not be queued.
        networkMode: 'always',
        retry: (failures, error) => mayComeAgain(error) && failures < retries,
        staleTime: 2_000,
        refetchOnWindowFocus: true,
        // A laptop that wakes up should show the cluster, not what it was before.
        refetchOnReconnect: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

function mayComeAgain(error: Error): boolean {
  return !(error instanceof ApiError) && !(error instanceof NoAnswerInTime);
}
