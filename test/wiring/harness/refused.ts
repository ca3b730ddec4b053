import { ApiError } from '../../../src/contract/client.ts';

/** The code that the API refuses with; `taken` when it does not. */
export async function refusal(request: Promise<unknown>): Promise<string> {
  try {
    await request;
    return 'taken';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}
