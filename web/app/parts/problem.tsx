import { Alert, AlertTitle, Button } from '@mui/material';
import { ApiError } from '../../../src/contract/contract.ts';
import { AnswerTooOld } from '../data/polling.ts';
import { NoAnswerInTime } from '../data/time-limit.ts';
import { NotDone } from '../data/use-act.ts';

/** What went wrong, in the API's own words, and what can be done. */
export function Problem({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  // What needs another right is not mended by asking again.
  const forbidden = error instanceof ApiError && error.code === 'forbidden';
  const retry = onRetry && !forbidden && (
    <Button color="inherit" size="small" onClick={onRetry} sx={{ whiteSpace: 'nowrap' }}>
      Try again
    </Button>
  );
  return (
    <Alert severity="error" action={retry}>
      <AlertTitle>{titleOf(error)}</AlertTitle>
      {errorText(error)}
    </Alert>
  );
}

function titleOf(error: Error): string {
  if (error.name === 'PageNotFetched') return 'This page could not be fetched';
  if (error instanceof AnswerTooOld) return 'This is not known now';
  if (!(error instanceof ApiError)) return 'The service cannot be reached';
  if (error.code === 'forbidden') return 'This is not open to you';
  return 'This could not be done';
}

/** Of something that was asked for by hand, which nothing asks for again. */
export function actErrorText(error: Error): string {
  if (error instanceof ApiError || error instanceof NotDone) return error.message;
  const what = error instanceof NoAnswerInTime ? error.message : 'No answer came back.';
  return `${what} Check your connection and try again.`;
}

export function errorText(error: Error): string {
  if (error instanceof ApiError || error instanceof NotDone) return error.message;
  if (error.name === 'PageNotFetched') {
    return navigator.onLine
      ? 'There may be a new release: reload the app if trying again does not help.'
      : 'This browser is offline. The page is fetched as soon as it is back.';
  }
  const ownWords = error instanceof NoAnswerInTime || error instanceof AnswerTooOld;
  const what = ownWords ? error.message : 'No answer came back.';
  return `${what} Check your connection; this page tries again by itself.`;
}
