import { Button, Stack } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { KeyIcon } from '../icons.tsx';
import { SignInProblem } from './email-form.tsx';
import { askAuthenticator } from './passkey.ts';
import { useClient } from './session-context.tsx';

export function PasskeySignIn({ onSignedIn }: { onSignedIn: (issued: AnswerOf<'verifyOtp'>) => void }) {
  const client = useClient();
  const signIn = useMutation({
    mutationFn: async () => {
      const { challengeId, options } = await client.passkeySignInOptions({ body: {} });
      const response = await askAuthenticator(options);
      return client.signInWithPasskey({ body: { challengeId, response, refresh: 'cookie' } });
    },
    onSuccess: onSignedIn,
  });
  return (
    <Stack spacing={2}>
      <Button
        variant="outlined"
        size="large"
        startIcon={<KeyIcon />}
        onClick={() => signIn.mutate()}
        loading={signIn.isPending}
      >
        Use a passkey
      </Button>
      {signIn.error === null ? null : <SignInProblem error={signIn.error} />}
    </Stack>
  );
}
