import { describe, expect, it } from 'vitest';
import { ownerChangeText } from './workloads.ts';

describe('what somebody did to a workload that sleeps', () => {
  const rows: Record<string, [Parameters<typeof ownerChangeText>[1], text: string]> = {
    'names who raised it': [
      { before: '3 replicas', now: '5 replicas', up: true, setBy: 'argocd-application-controller' },
      'Deployment shop/cart is raised by argocd-application-controller: it was 3 replicas and is 5 replicas now',
    ],
    'names who set it to zero': [
      { before: '3 replicas', now: '0 replicas', up: false, setBy: 'kubectl-scale' },
      'Deployment shop/cart was 3 replicas and is 0 replicas now, set by kubectl-scale',
    ],
    'says so where it is what it was': [
      { before: '3 replicas', now: '3 replicas', up: true, setBy: 'helm' },
      'Deployment shop/cart is raised by helm to what it was before it slept: 3 replicas',
    ],
    'says so where nobody is named': [
      { before: 'not suspended', now: 'not suspended', up: true, setBy: undefined },
      'Deployment shop/cart is what it was before it slept: not suspended',
    ],
    'names nobody where the cluster does not tell': [
      { before: '3 replicas', now: '5 replicas', up: true, setBy: '' },
      'Deployment shop/cart was 3 replicas and is 5 replicas now',
    ],
  };
  it.each(Object.entries(rows))('%s', (_name, [change, text]) => {
    expect(ownerChangeText('Deployment shop/cart', change)).toBe(text);
  });
});
