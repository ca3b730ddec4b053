import type { RequestParts } from '../../../src/contract/client.ts';
import type { EndpointId } from '../../../src/contract/endpoints.ts';
import type { Actor, Stage } from './actor.ts';

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

/** Asks the api as an admin, and says what became of it. */
async function ask({ world }: Stage, what: string, id: EndpointId, parts: RequestParts = {}): Promise<string> {
  const { status, body } = await world.api.asAdmin(id, parts);
  if (status === 200) return what;
  return `${what} (${status === 0 ? 'no answer' : `${status} ${body['code']}`})`;
}

function hibernate(stage: Stage): Promise<string> {
  const { world, chance } = stage;
  const hours = chance.happens(0.4) ? chance.between(1, 30) : undefined;
  const until = hours === undefined ? undefined : new Date(world.clock.now() + hours * hour).toISOString();
  const what = `hibernates by hand${hours === undefined ? '' : ` for ${hours} h`}`;
  return ask(stage, what, 'triggerHibernation', { body: until === undefined ? {} : { until } });
}

function wake(stage: Stage): Promise<string> {
  const hours = stage.chance.between(1, 12);
  return ask(stage, `wakes for ${hours} h`, 'wakeUp', { body: { duration: `${hours}h` } });
}

function resume(stage: Stage): Promise<string> {
  return ask(stage, 'resumes the schedule', 'resumeSchedule');
}

function overrideDate(stage: Stage): Promise<string> {
  const { world, chance } = stage;
  const date = new Date(world.clock.now() + chance.between(0, 2) * 24 * hour).toISOString().slice(0, 10);
  const hours = chance.pick(['on', 'off', '10:00-12:00,13:00-22:00']);
  return ask(stage, `overrides ${date} with ${hours}`, 'setScheduleOverride', { params: { date }, body: { hours } });
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

function standDown(stage: Stage): Promise<string> {
  return ask(stage, 'stands down', 'standDown', { body: { reason: 'a release' } });
}

function endStandDown(stage: Stage): Promise<string> {
  return ask(stage, 'ends the stand-down', 'endStandDown');
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
