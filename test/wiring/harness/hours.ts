const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** The same working hours on every day. */
export function everyDay(hours: string): { workingHours: { schedule: Readonly<Record<string, string>> } } {
  return { workingHours: { schedule: Object.fromEntries(weekdays.map((day) => [day, hours])) } };
}
