// The demo as `npm start -- --speed 60` runs it, but for the web app, whose build would take longer than all pages together.
import { startFleet } from '../../../demo/embedded-fleet.ts';
import { scaledClock } from '../../../demo/scaled-clock.ts';
import { startStack } from '../../../demo/stack.ts';

const clock = scaledClock(60);
const settings = {
  externalUrl: 'http://localhost:3000',
  allowInsecureExternalUrl: true,
  auth: { adminUsers: ['admin@svc.local'] },
};
// Awake whatever the hour: pages are read at night too.
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const workingHours = { timezone: 'Europe/Berlin', schedule: Object.fromEntries(days.map((day) => [day, 'on'])) };
const fleet = await startFleet(clock, 1, { ...settings, workingHours });
const stack = await startStack({
  clock,
  namespace: 'svc',
  logLevel: 'error',
  inboxPort: 0,
  transport: (account) => fleet.transport(account),
});
process.once('SIGTERM', async () => {
  await stack.stop();
  await fleet.stop();
  process.exit(0);
});
process.stdout.write(`${JSON.stringify({ api: stack.apiUrl, inbox: stack.inboxUrl, kubeconfig: fleet.kubeconfig })}\n`);
