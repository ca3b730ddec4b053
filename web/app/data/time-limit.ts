/** Longer than any answer of the API takes, shorter than anybody waits for one. */
export const answerLimitMs = 15_000;

/** No answer came in time. Whether the request reached the server is not known. */
export class NoAnswerInTime extends Error {
  override readonly name = 'NoAnswerInTime';

  constructor(limitMs = answerLimitMs) {
    super(`No answer came within ${limitMs / 1000} seconds.`);
  }
}

/** The browser has no connection: the request was not even tried. */
export class Offline extends Error {
  override readonly name = 'Offline';

  constructor() {
    super('This browser is offline.');
  }
}

/** Ends with the given signal, or by itself when the time is up. */
export function withinLimit(signal: AbortSignal | null | undefined, limitMs = answerLimitMs): AbortSignal {
  const late = new AbortController();
  setTimeout(() => late.abort(new NoAnswerInTime(limitMs)), limitMs);
  return signal ? AbortSignal.any([signal, late.signal]) : late.signal;
}
