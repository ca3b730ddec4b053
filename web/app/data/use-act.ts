import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../../src/contract/contract.ts';
import { useToast } from '../shell/toast.tsx';
import { NoAnswerInTime, Offline } from './time-limit.ts';

export interface Act {
  readonly busy: boolean;
  /** Why it was not done, or why that is not known. */
  readonly error: Error | null;
  readonly run: () => void;
  /** Waits no longer, and says so if it was already on its way. */
  readonly leave: () => void;
}

interface Steps<T> {
  readonly send: (signal: AbortSignal) => Promise<T>;
  /** Whatever page is shown by then. */
  readonly done: (answer: T) => void;
  /** Closes the dialog, if it is still there: who has gone on to another page stays there. */
  readonly close: () => void;
}

/** Something that changes the cluster or the account: it is sent now or fails now, and nothing of it is kept for later. */
export function useAct<T>({ send, done, close }: Steps<T>): Act {
  const toast = useToast();
  const going = useRef<AbortController>(undefined);
  const sent = useMutation({
    mutationFn: async () => {
      if (!navigator.onLine) throw new NotDone(new Offline());
      const mine = new AbortController();
      going.current = mine;
      try {
        return await send(mine.signal);
      } catch (error) {
        throw error instanceof ApiError ? error : new NotDone(error);
      } finally {
        going.current = undefined;
      }
    },
    onSuccess: done,
  });
  return {
    busy: sent.isPending,
    error: sent.error,
    run: () => sent.mutate(undefined, { onSuccess: close }),
    leave: () => {
      sent.reset();
      if (going.current === undefined) return;
      going.current.abort();
      toast(`You left before an answer came. ${notKnown}`, 'warning');
    },
  };
}

const notKnown = 'It is not known whether this was done: look at the state before you try again.';

/** An act without an answer, in words that say what is known of it. */
export class NotDone extends Error {
  override readonly name = 'NotDone';

  constructor(cause: unknown) {
    super(wordsOf(cause), { cause });
  }
}

function wordsOf(cause: unknown): string {
  if (cause instanceof Offline) return `${cause.message} Nothing was sent, and nothing will be sent later.`;
  const what = cause instanceof NoAnswerInTime ? cause.message : 'The connection broke before an answer came.';
  return `${what} ${notKnown}`;
}
