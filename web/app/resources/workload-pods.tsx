import { Box, Chip, Stack, Typography } from '@mui/material';
import type { WorkloadAnswer } from '../data/queries.ts';
import { Empty } from '../parts/empty.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';

type Pods = WorkloadAnswer['pods'];
type Pod = Pods['items'][number];

export function PodList({ pods, zone }: { pods: Pods; zone: string }) {
  if (pods.items.length === 0)
    return <Empty title="It has no pods now">The events below say why, if they should be there.</Empty>;
  return (
    <Stack component="ul" spacing={2} sx={{ m: 0, p: 0, listStyle: 'none' }} data-testid="pods">
      {pods.items.map((pod) => (
        <PodLine key={pod.name} pod={pod} zone={zone} />
      ))}
      {pods.more ? (
        <Typography component="li" variant="body2" color="textSecondary">
          There are more pods than are shown.
        </Typography>
      ) : null}
    </Stack>
  );
}

function PodLine({ pod, zone }: { pod: Pod; zone: string }) {
  const restarts = pod.containers.reduce((sum, container) => sum + container.restarts, 0);
  return (
    <Box component="li" sx={{ borderLeft: 4, borderColor: pod.ready ? 'success.main' : 'error.main', pl: 2 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere', minWidth: 0 }}>{pod.name}</Typography>
        <Chip
          size="small"
          variant="outlined"
          color={pod.ready ? 'success' : 'error'}
          label={pod.ready ? 'Ready' : pod.deleting ? 'Leaving' : 'Not ready'}
        />
      </Stack>
      {pod.trouble === undefined ? null : (
        <Typography sx={{ mt: 0.5, overflowWrap: 'anywhere' }} data-testid="pod-trouble">
          {pod.trouble}
        </Typography>
      )}
      <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
        {pod.phase}, {restartsText(restarts)}
        {pod.node === undefined ? ', on no node' : `, on ${pod.node}`}, created{' '}
        <ZonedTime at={pod.createdAt} zone={zone} />
      </Typography>
      <Containers pod={pod} zone={zone} />
    </Box>
  );
}

/** What the one sentence leaves out: each container that is not as it should be, and each condition. */
function Containers({ pod, zone }: { pod: Pod; zone: string }) {
  if (pod.ready) return null;
  const lines = pod.containers.filter(({ ready, init, state }) => !ready && !(init && state === 'terminated'));
  // What the sentence above says already is not said twice.
  const conditions = pod.conditions.filter(({ message }) => message === undefined || !pod.trouble?.includes(message));
  if (lines.length + conditions.length === 0) return null;
  return (
    <Box component="ul" sx={{ m: 0, mt: 0.5, pl: 2.5, fontSize: 14, overflowWrap: 'anywhere' }}>
      {lines.map((container) => (
        <li key={`container ${container.name}`}>
          {container.init ? 'Init container' : 'Container'} {container.name}: {container.state}
          {container.reason === undefined ? '' : ` (${container.reason})`}
          {container.last === undefined ? null : (
            <>
              , before that exit code {container.last.exitCode}
              {container.last.reason === undefined ? '' : ` (${container.last.reason})`}
              {container.last.at === undefined ? null : (
                <>
                  {' '}
                  at <ZonedTime at={container.last.at} zone={zone} form="clock" />
                </>
              )}
            </>
          )}
        </li>
      ))}
      {conditions.map(({ type, reason, message, since }) => (
        <li key={`condition ${type}`}>
          Not {type}
          {reason === undefined ? '' : ` (${reason})`}
          {message === undefined ? '' : `: ${message}`}
          {since === undefined ? null : (
            <>
              , since <ZonedTime at={since} zone={zone} form="clock" />
            </>
          )}
        </li>
      ))}
    </Box>
  );
}

function restartsText(restarts: number): string {
  if (restarts === 0) return 'no restarts';
  return restarts === 1 ? '1 restart' : `${restarts} restarts`;
}
