import type { Status } from '../data/queries.ts';

/** A chip of the top bar: its literal text, what it means and what to do next. */
export interface TopChip {
  readonly id: string;
  readonly color: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly means: string;
  readonly next: string;
  readonly to: string;
}

const nextOfLicense = 'See the License page for the verdict and its reason; a corrected license is taken up by itself.';

export function topChips(status: Pick<Status, 'standDown' | 'license' | 'dryRun'>): readonly TopChip[] {
  const chips: TopChip[] = [];
  const { standDown, license } = status;
  if (standDown !== null) chips.push(standDownChip(standDown));
  const { chip } = license;
  if (chip !== null) {
    const color = chip.color === 'red' ? 'error' : 'warning';
    chips.push({ id: 'license', color, text: chip.text, means: chip.detail, next: nextOfLicense, to: '/license' });
  }
  if (status.dryRun) {
    chips.push({
      id: 'dry-run',
      color: 'info',
      text: 'Dry run',
      means: 'The controller logs every decision and changes no workload. A stand-down still hands everything back.',
      next: 'Set config.operations.dryRun to false to let it act.',
      to: '/tonight',
    });
  }
  return chips;
}

function standDownChip(standDown: NonNullable<Status['standDown']>): TopChip {
  const both = standDown.source === 'admin' && standDown.configuration;
  const back = standDown.handbackDone ? 'The handback is finished.' : 'The handback is running.';
  return {
    id: 'stand-down',
    color: 'error',
    text: `Not scaling - stood down by ${standDown.actor}`,
    means: `Nothing is scaled until the stand-down ends. ${back}${both ? ' The configuration holds one as well: both have to end.' : ''}`,
    next: both
      ? 'An admin ends the one in Manual Control; config.global.enabled set to true ends the other.'
      : standDown.configuration
        ? 'Set config.global.enabled to true to end it.'
        : 'An admin can end it in Manual Control.',
    to: '/control',
  };
}
