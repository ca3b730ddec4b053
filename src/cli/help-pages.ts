/** Which page helps with an error of the API; where no page says more than the message, there is none. */
const pages: Readonly<Record<string, string>> = {
  managed_state_unavailable: 'docs/recovery.md#when-the-state-cannot-be-read',
  state_full: 'docs/recovery.md#the-state-is-full',
  stood_down: 'docs/stand-down.md#when-it-ends',
  stand_down_by_configuration: 'docs/stand-down.md#stop-it',
  unlicensed: 'docs/license.md',
  forbidden: 'docs/sign-in.md#who-sees-what',
  domain_not_allowed: 'docs/sign-in.md#who-sees-what',
  smtp_disabled: 'docs/sign-in.md#mail',
  rate_limited: 'docs/limits.md',
  overloaded: 'docs/limits.md',
};

export function pageFor(code: string): string | undefined {
  return Object.hasOwn(pages, code) ? pages[code] : undefined;
}
