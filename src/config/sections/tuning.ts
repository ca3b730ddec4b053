import { duration, wait } from '../formats/times.ts';
import { int, record, text } from '../node.ts';

const time = (value: string, description: string) => text({ default: value, format: wait, description });

const queriesPerSecond = (whose: string) =>
  int({ default: 150, min: 1, max: 10_000, description: `Queries a second that ${whose} sends to the cluster API.` });
const burst = (whose: string) =>
  int({ default: 200, min: 1, max: 20_000, description: `Queries that ${whose} may send at once.` });

export const tuningFields = {
  controller: record(
    {
      reconcileInterval: time('1h', 'How often everything is looked at without a reason to.'),
      maxConcurrentOperations: int({ default: 50, min: 1, max: 1000, description: 'Scaling operations at a time.' }),
      kubernetesQPS: queriesPerSecond('each controller client'),
      kubernetesBurst: burst('each controller client'),
      hibernateTierTimeout: time('5m', 'Wait for a hibernate tier that sets no timeout.'),
      wakeBarrierTimeout: time('5m', 'Wait for a wake tier that sets no timeout.'),
      workloadSettleTimeout: time(
        '10m',
        'Start-up time of a workload that declares no startupProbe; more than 30m is held to 30m.',
      ),
    },
    { description: 'Tuning of the controller.' },
  ),
  api: record(
    {
      kubernetesQPS: queriesPerSecond('each API client'),
      kubernetesBurst: burst('each API client'),
      shutdownTimeout: text({
        default: '30s',
        format: duration('1s', '1h'),
        description: 'How long open requests may take to finish when the API stops.',
      }),
    },
    { description: 'Tuning of the API.' },
  ),
};
