import { duration } from '../formats/times.ts';
import { record, text } from '../formats/value-types.ts';
import { burst, queriesPerSecond } from './shared/client-rates.ts';

export const api = record(
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
);
