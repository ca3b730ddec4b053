/** When something that a limit has refused may be tried again, in words. */
export function whenAgain(seconds: number): string {
  if (seconds <= 1) return 'Try again in a second.';
  if (seconds < 90) return `Try again in ${seconds} seconds.`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `Try again in ${minutes} minutes.`;
  return `Try again in ${Math.ceil(minutes / 60)} hours.`;
}
