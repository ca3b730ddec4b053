import { dayHours } from '../formats/day-hours.ts';
import { timezone } from '../formats/times.ts';
import { record, text } from '../formats/value-types.ts';

const day = (name: string, value: string) =>
  text({ default: value, format: dayHours, onOff: true, description: `Hours of ${name} in which the cluster is up.` });

export const workingHours = record(
  {
    timezone: text({
      default: 'Europe/Berlin',
      format: timezone,
      description: 'Timezone in which the schedule is read.',
    }),
    schedule: record(
      {
        monday: day('Monday', '08:00-20:00'),
        tuesday: day('Tuesday', '08:00-20:00'),
        wednesday: day('Wednesday', '08:00-20:00'),
        thursday: day('Thursday', '08:00-20:00'),
        friday: day('Friday', '08:00-20:00'),
        saturday: day('Saturday', 'off'),
        sunday: day('Sunday', 'off'),
      },
      { description: 'Working hours by weekday; outside of them the cluster hibernates.' },
    ),
  },
  { description: 'When the cluster is up.' },
);
