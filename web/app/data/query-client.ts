import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../src/contract/contract.ts';

const retries = 2;

/** An answer of the API is an answer; only what never arrived is asked for again at once. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => !(error instanceof ApiError) && failures < retries,
        staleTime: 2_000,
        refetchOnWindowFocus: true,
        // A laptop that wakes up should show the cluster, not what it was before.
        refetchOnReconnect: 'always',
      },
      mutations: { retry: false },
    },
  });
}
