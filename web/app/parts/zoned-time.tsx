import { clockTime, dateTime } from './time-text.ts';

interface Props {
  readonly at: string | number;
  readonly zone: string;
  /** `clock`: the time alone where the day is plain from around it. */
  readonly form?: 'full' | 'clock';
}

/** An instant with its zone beside it, as every time of the app. */
export function ZonedTime({ at, zone, form = 'full' }: Props) {
  const instant = new Date(at);
  if (Number.isNaN(instant.getTime())) return <>unknown</>;
  return (
    <time dateTime={instant.toISOString()}>
      <span style={{ whiteSpace: 'nowrap' }}>
        {form === 'clock' ? clockTime(instant.getTime(), zone) : dateTime(instant.getTime(), zone)}
      </span>{' '}
      ({zone})
    </time>
  );
}
