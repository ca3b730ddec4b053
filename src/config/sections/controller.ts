import { wait } from '../formats/times.ts';
import { int, record, text } from '../formats/value-types.ts';
import { burst, queriesPerSecond } from './shared/client-rates.ts';

const time = (value: string, description: string) => text({ default: value, format: wait, description });

export const controller = record(
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
);
