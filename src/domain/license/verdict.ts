export type Verdict = 'licensed' | 'unverified' | 'check_failed' | 'unlicensed';
