import { useResources, useTurns } from '../data/queries.ts';
import { useUser } from '../session/session-context.tsx';
import { type Ending, endingOf } from './ending.ts';
import { casualtiesOf } from './unfinished.ts';

/** How the last wake or hibernation ended; who may not read the log is told nothing of it. */
export function useEnding(): Ending {
  const admin = useUser()?.admin === true;
  const turns = useTurns(admin);
  const resources = useResources(turns.data !== undefined && casualtiesOf(turns.data).length > 0);
  return admin ? endingOf(turns, resources) : { known: 'yes', checked: true };
}
