import type { Actor, Stage } from './actor.ts';
import { hibernateIntent, resumeIntent, scheduleOverrideIntent, standDownIntent, wakeIntent } from './state-intents.ts';

const ann = 'ann@example.com';
const hour = 3_600_000;

export const admins: readonly Actor[] = [
  { name: 'hibernates by hand', weight: 3, act: hibernate },
  { name: 'wakes', weight: 4, act: wake },
  { name: 'resumes the schedule', weight: 3, act: resume },
  { name: 'overrides a date', weight: 2, act: overrideDate },
  { name: 'changes working hours', weight: 2, act: changeHours },
  { name: 'turns dry run on', weight: 1, act: dryRun },
];

export const stops: readonly Actor[] = [
  { name: 'stands down', weight: 4, act: standDown },
  { name: 'ends the stand-down', weight: 5, act: endStandDown },
  { name: 'stands down by configuration', weight: 3, act: configurationStop },
  { name: 'loses the license', weight: 2, act: loseLicense },
];

async function hibernate({ world, chance }: Stage): Promise<string> {
  const until = chance.happens(0.4) ? chance.between(1, 30) * hour : undefined;
  const done = await hibernateIntent(world, ann, until);
  return `hibernates by hand${until === undefined ? '' : ` for ${until / hour} h`}${done ? '' : ' (refused)'}`;
}

async function wake({ world, chance }: Stage): Promise<string> {
  const hours = chance.between(1, 12);
  return `wakes for ${hours} h${(await wakeIntent(world, ann, hours * hour)) ? '' : ' (refused)'}`;
}

async function resume({ world }: Stage): Promise<string> {
  return `resumes the schedule${(await resumeIntent(world)) ? '' : ' (nothing)'}`;
}

async function overrideDate({ world, chance }: Stage): Promise<string> {
  const date = new Date(world.clock.now() + chance.between(0, 2) * 24 * hour).toISOString().slice(0, 10);
  const hours = chance.pick(['on', 'off', '10:00-12:00,13:00-22:00']);
  await scheduleOverrideIntent(world, date, hours, ann);
  return `overrides ${date} with ${hours}`;
}

function changeHours({ world, chance }: Stage): string {
  const hours = chance.pick(['08:00-20:00', '07:30-18:00', '06:00-12:00,14:00-22:00', '09:00-17:00']);
  const weekend = chance.pick(['off', 'off', 'on']);
  const timezone = (world.configParts['workingHours'] as { timezone: string }).timezone;
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
  const schedule = { ...Object.fromEntries(days.map((day) => [day, hours])), saturday: weekend, sunday: 'off' };
  world.reconfigure({ workingHours: { timezone, schedule } });
  return `changes working hours to ${hours}, saturday ${weekend}`;
}

function dryRun({ world, chance, later }: Stage): string {
  if (world.config.operations.dryRun) return 'finds dry run on';
  world.reconfigure({ operations: { dryRun: true } });
  later(chance.between(1, 20) * hour, 'dry run ends', () => world.reconfigure({ operations: { dryRun: false } }));
  return 'turns dry run on';
}

async function standDown({ world }: Stage): Promise<string> {
  return `stands down${(await standDownIntent(world, { type: 'admin-stands-down', actor: ann, reason: 'a release' })) ? '' : ' (refused)'}`;
}

async function endStandDown({ world }: Stage): Promise<string> {
  return `ends the stand-down${(await standDownIntent(world, { type: 'admin-ends', actor: ann })) ? '' : ' (refused)'}`;
}

function configurationStop({ world, chance, later }: Stage): string {
  if (!world.config.global.enabled) return 'finds the configuration standing down';
  world.reconfigure({ global: { enabled: false } });
  later(chance.between(1, 40) * (hour / 2), 'enabled again', () => world.reconfigure({ global: { enabled: true } }));
  return 'stands down by configuration';
}

function loseLicense({ world, chance, later, licenseChanged }: Stage): string {
  world.setLicense({ found: 'text', text: 'not a license' });
  licenseChanged(false);
  later(chance.between(1, 30) * (hour / 2), 'the license is back', () => {
    world.setLicense({ found: 'nothing' });
    licenseChanged(true);
  });
  return 'loses the license';
}
