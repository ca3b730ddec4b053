import { Box } from '@mui/material';

type State = 'waiting' | 'running' | 'released';

const words: Readonly<Record<State, string>> = { waiting: 'waits', running: 'runs', released: 'done' };
const colors: Readonly<Record<State, string>> = {
  waiting: 'text.secondary',
  running: 'warning.main',
  released: 'success.main',
};

/** The number of a tier, with how far it is: in words too, never by color alone. */
export function StepNumber({ step, state }: { step: number; state: State }) {
  return (
    <Box
      aria-label={`Tier ${step}, ${words[state]}`}
      role="img"
      sx={{
        width: 30,
        height: 30,
        borderRadius: '50%',
        display: 'grid',
        placeItems: 'center',
        fontWeight: 700,
        fontSize: 14,
        border: 2,
        borderColor: colors[state],
        color: colors[state],
      }}
    >
      {step}
    </Box>
  );
}
