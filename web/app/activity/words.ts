// What the log stores in short forms, in words.

const causes: Readonly<Record<string, string>> = {
  schedule: 'The schedule',
  working_hours: 'The schedule: working hours',
  outside_working_hours: 'The schedule: outside working hours',
  schedule_override: 'The schedule: other hours for the date',
  holiday: 'The schedule: a holiday',
  wake_override: 'Somebody asked to wake it',
  manual_hibernation: 'Somebody asked to hibernate it',
  external_wake: 'Another cluster needed it',
  retry: 'Somebody wanted it tried again',
  stand_down: 'A stand-down',
  license: 'The license',
};

const stillStarting: Readonly<Record<string, string>> = {
  fail_open: 'the wake stopped waiting for it',
  walked_past: 'its tier was released without waiting for it',
  superseded: 'a hibernation began before it had answered',
  not_observed: 'the controller was not there to see it',
};

const names: Readonly<Record<string, string>> = {
  up: 'Up, the recovered among them',
  waited_for: 'Of those that were waited for',
  cron_jobs: 'CronJobs, which are not waited for',
  tiers: 'Tiers',
  still_starting: 'Still starting at the end',
  critical_tier: 'Longest tier',
  critical_path: 'Held longest by',
};

export function triggerText(trigger: string): string {
  return causes[trigger] ?? sentence(trigger);
}

export function detailName(name: string): string {
  return names[name] ?? sentence(name);
}

export function detailText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'None' : listText(value.map(oneText));
  return typeof value === 'object' ? JSON.stringify(value) : oneText(value);
}

/** What holds commas itself is set apart by more. */
function listText(parts: readonly string[]): string {
  return parts.join(parts.some((part) => part.includes(', ')) ? '; ' : ', ');
}

/** `Deployment shop/archive: walked_past`, or a short form alone. */
function oneText(value: unknown): string {
  const text = String(value);
  const cut = text.lastIndexOf(': ');
  const words = stillStarting[text.slice(cut + 2)];
  return cut < 0 || words === undefined ? (stillStarting[text] ?? text) : `${text.slice(0, cut)}: ${words}`;
}

function sentence(slug: string): string {
  const text = slug.replaceAll('_', ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
