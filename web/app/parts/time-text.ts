// Times as people read them, always by the clock of a named zone.

type Options = Intl.DateTimeFormatOptions;

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: string, options: Options): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone });
  formats.set(key, made);
  return made;
}

const clock: Options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

/** `20:00` */
export function clockTime(at: number, zone: string): string {
  return format(zone, clock).format(at);
}

/** `20:00:05` */
export function clockSeconds(at: number, zone: string): string {
  return format(zone, { ...clock, second: '2-digit' }).format(at);
}

/** `Tue 3 Nov 2026, 20:00` */
export function dateTime(at: number, zone: string): string {
  return `${dateText(at, zone)}, ${clockTime(at, zone)}`;
}

/** `Tue 3 Nov 2026` */
export function dateText(at: number, zone: string): string {
  return format(zone, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
    .format(at)
    .replace(',', '');
}

/** `2026-11-03` */
export function isoDate(at: number, zone: string): string {
  return format(zone, { year: 'numeric', month: '2-digit', day: '2-digit' })
    .format(at)
    .split('/')
    .toReversed()
    .join('-');
}

/** `4 min 05 s`, `2 h 03 min`, `3 d 4 h`; never less than nothing. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${two(minutes % 60)} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** `1 workload`, `2 workloads` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The instant at which the zone's clock shows the date and time of a form field (`2026-11-03T20:00`). */
export function instantOf(local: string, zone: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})$/.exec(local);
  if (match === null) return undefined;
  const [year, month, day, hour, minute] = match.slice(1).map(Number) as [number, number, number, number, number];
  const asUtc = Date.UTC(year, month - 1, day, hour, minute);
  // Twice: the first guess may lie on the other side of a clock change.
  const first = asUtc - offsetAt(asUtc, zone);
  const second = asUtc - offsetAt(first, zone);
  return Number.isNaN(second) ? undefined : second;
}

/** The value of a form field for an instant, by the zone's clock. */
export function localField(at: number, zone: string): string {
  return `${isoDate(at, zone)}T${clockTime(at, zone)}`;
}

function offsetAt(at: number, zone: string): number {
  const floor = at - (at % 60_000);
  const [date, time] = [isoDate(floor, zone), clockTime(floor, zone)];
  return Date.parse(`${date}T${time}:00Z`) - floor;
}
