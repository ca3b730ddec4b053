// The demo as `npm start -- --speed 60` runs it, but for the web app, whose build would take longer than all pages together.
import { startFleet } from '../../../demo/embedded-fleet.ts';
import { scaledClock } from '../../../demo/scaled-clock.ts';
import { startStack } from '../../../demo/stack.ts';

const admin = 'admin@svc.local';
const settings = {
  externalUrl: 'http://localhost:3000',
  allowInsecureExternalUrl: true,
  auth: { adminUsers: [admin] },
  // What it prints is one line, which says where it is.
  operations: { logLevel: 'error' },
};
// Awake whatever the hour: pages are read at night too.
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const workingHours = { timezone: 'Europe/Berlin', schedule: Object.fromEntries(days.map((day) => [day, 'on'])) };
const fleet = await startFleet({
  seed: 1,
  admin,
  // Pages are about what is, and their answers hold whatever the day is on which they are read.
  pastDays: 0,
  config: { ...settings, workingHours },
  present: scaledClock(60),
});
const stack = await startStack({
  clock: fleet.clock,
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
