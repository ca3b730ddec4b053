import { Alert, Button, Stack, TextField } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { codeDigits } from '../../../src/contract/code-digits.ts';
import { type AnswerOf, ApiError } from '../../../src/contract/contract.ts';
import { errorText } from '../parts/problem.tsx';
import { useClient } from './session-context.tsx';
import { whenAgain } from './when-again.ts';

/** What the form for the code says of it. */
export type Mailed = Pick<AnswerOf<'requestOtp'>, 'message' | 'digits'>;

const mailedBefore: Mailed = {
  message: 'Codes were mailed to this address before: the newest one counts.',
  digits: codeDigits,
};

interface Props {
  /** The address of the code before, when another is asked for. */
  readonly known: string;
  readonly onAsked: (asked: { email: string; answer: Mailed }) => void;
}

export function EmailForm({ known, onAsked }: Props) {
  const client = useClient();
  const [email, setEmail] = useState(known);
  const ask = useMutation({
    mutationFn: () => client.requestOtp({ body: { email: email.trim() } }),
    onSuccess: (answer) => onAsked({ email: email.trim(), answer }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        ask.mutate();
      }}
    >
      <Stack spacing={2}>
        <TextField
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username webauthn"
          autoFocus
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        {ask.error === null ? null : <SignInProblem error={ask.error} />}
        <Button type="submit" variant="contained" size="large" disabled={email.trim() === ''} loading={ask.isPending}>
          Send me a code
        </Button>
        {ask.error instanceof ApiError && ask.error.code === 'rate_limited' ? (
          // Strangers may have asked for this address: what they had mailed signs its reader in as well.
          <Button onClick={() => onAsked({ email: email.trim(), answer: mailedBefore })}>I have a code</Button>
        ) : null}
      </Stack>
    </form>
  );
}

/** The API's own words; a domain that is not allowed comes with those that are, and a limit with when it has passed. */
export function SignInProblem({ error }: { error: Error }) {
  const domains = error instanceof ApiError ? allowedDomains(error) : [];
  const again = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return (
    <Alert severity="error" role="alert">
      {errorText(error)}
      {domains.length === 0 ? null : ` Allowed: ${domains.join(', ')}.`}
      {again === undefined ? null : ` ${whenAgain(again)}`}
    </Alert>
  );
}

/** Domains that the message does not name already. */
function allowedDomains(error: ApiError): readonly string[] {
  const { allowed, domains, allowedDomains: listed } = error.details;
  const list = [allowed, domains, listed].find(Array.isArray) ?? [];
  return list.filter((one): one is string => typeof one === 'string' && !error.message.includes(one));
}
