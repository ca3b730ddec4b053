import { Button, Stack, Typography } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { NavLink } from '../parts/nav-link.tsx';
import { SignInProblem } from './email-form.tsx';
import { useClient } from './session-context.tsx';

interface Props {
  readonly token: string;
  readonly onSignedIn: (issued: AnswerOf<'verifyOtp'>) => void;
}

/** Opening the link spends nothing, for mail scanners open links too; the click does. */
export function MagicLink({ token, onSignedIn }: Props) {
  const client = useClient();
  const open = useMutation({
    mutationFn: () => client.openMagicLink({ body: { token, refresh: 'cookie' } }),
    onSuccess: onSignedIn,
  });
  return (
    <Stack spacing={2}>
      <Typography>You came by the link of a sign-in mail. It works once, in the browser that asked for it.</Typography>
      {open.error === null ? null : <SignInProblem error={open.error} />}
      <Button variant="contained" size="large" autoFocus onClick={() => open.mutate()} loading={open.isPending}>
        Sign in with the link
      </Button>
      <NavLink to="/sign-in">Use a code instead</NavLink>
    </Stack>
  );
}
