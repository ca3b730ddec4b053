/** Who asks. Members of `system:masters` may do everything. */
export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid?: string;
}
