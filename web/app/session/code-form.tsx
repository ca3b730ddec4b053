import { Button, Stack, TextField, Typography } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type AnswerOf, ApiError } from '../../../src/contract/contract.ts';
import { type Mailed, SignInProblem } from './email-form.tsx';
import { useClient } from './session-context.tsx';

interface Props {
  readonly email: string;
  readonly asked: Mailed;
  readonly onSignedIn: (issued: AnswerOf<'verifyOtp'>) => void;
  readonly onBack: () => void;
}

export function CodeForm({ email, asked, onSignedIn, onBack }: Props) {
  const client = useClient();
  const [code, setCode] = useState('');
  const verify = useMutation({
    mutationFn: (otp: string) => client.verifyOtp({ body: { email, otp, refresh: 'cookie' } }),
    onSuccess: onSignedIn,
    onError: () => setCode(''),
  });
  const field = useRef<HTMLInputElement>(null);
  const another = useRef<HTMLButtonElement>(null);
  const typed = (text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, asked.digits);
    setCode(digits);
    if (digits.length === asked.digits) verify.mutate(digits);
  };
  const spent = verify.error instanceof ApiError && verify.error.code === 'too_many_attempts';
  // Who typed a wrong code goes on typing; who has used up the attempts can only ask for another code.
  useEffect(() => {
    if (spent) another.current?.focus();
    else if (verify.error !== null) field.current?.focus();
  }, [spent, verify.error]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        verify.mutate(code);
      }}
    >
      <Stack spacing={2}>
        <Typography>
          {asked.message} It was asked for <strong>{email}</strong> and has {asked.digits} digits. The mail also has a
          link that does the same in this browser.
        </Typography>
        <TextField
          label="Code"
          name="code"
          autoComplete="one-time-code"
          autoFocus
          value={code}
          inputRef={field}
          disabled={spent}
          onChange={(event) => typed(event.target.value)}
          slotProps={{
            htmlInput: {
              inputMode: 'numeric',
              readOnly: verify.isPending,
              style: { letterSpacing: '0.3em', fontSize: 20 },
            },
          }}
        />
        {verify.error === null ? null : <SignInProblem error={verify.error} />}
        {spent ? <Typography>Ask for a new code: it lifts the limit.</Typography> : null}
        <Button
          type="submit"
          variant="contained"
          size="large"
          disabled={code.length !== asked.digits || spent}
          loading={verify.isPending}
        >
          Sign in
        </Button>
        <Button ref={another} onClick={onBack}>
          Ask for a new code
        </Button>
      </Stack>
    </form>
  );
}
