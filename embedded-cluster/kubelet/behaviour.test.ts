import { describe, expect, it } from 'vitest';
import { type Behaviour, parseBehaviour } from './behaviour.ts';

const known =
  'start-seconds, startup-probe-seconds, never-ready, unready-at, volume-seconds, init-seconds, init, init-recovers-after, image, pull-seconds, pull, pull-recovers-after, create, create-recovers-after, crash-after-seconds, crash-times, exit-code, run-seconds, terminate-seconds, container';

describe('parseBehaviour', () => {
  const understood: Record<string, [annotations: Record<string, string>, index: number, behaviour: Behaviour]> = {
    'nothing declared is no behaviour': [{ 'example.com/x': '1' }, 0, {}],
    'one figure holds for every attempt': [{ 'sim.svc.io/start-seconds': '30' }, 0, { startSeconds: [30] }],
    'a list gives each attempt its figure': [{ 'sim.svc.io/start-seconds': '600, 20' }, 0, { startSeconds: [600, 20] }],
    'spans and a last edge without an end': [
      { 'sim.svc.io/unready-at': '60-90,200' },
      0,
      { unreadyAt: [{ from: 60, until: 90 }, { from: 200 }] },
    ],
    'the figure of the pod wins over the one for all': [
      { 'sim.svc.io/start-seconds': '5', 'sim.svc.io/start-seconds.1': '50' },
      1,
      { startSeconds: [50] },
    ],
    'another pod keeps the figure for all': [
      { 'sim.svc.io/start-seconds': '5', 'sim.svc.io/pull.1': 'fail' },
      0,
      { startSeconds: [5] },
    ],
    'false is said as well as true': [{ 'sim.svc.io/never-ready': 'false' }, 0, { neverReady: false }],
  };
  it.each(Object.entries(understood))('%s', (_sentence, [annotations, index, behaviour]) => {
    expect(parseBehaviour(annotations, index)).toEqual({ behaviour, problems: [] });
  });

  const refused: Record<string, [name: string, value: string, problem: string]> = {
    'seconds are digits': [
      'start-seconds',
      '5s',
      'sim.svc.io/start-seconds: "5s" is not seconds, or a list with one figure for each attempt such as 600,20.',
    ],
    'a negative length': ['pull-seconds', '-1', 'sim.svc.io/pull-seconds: "-1" is not a number of seconds such as 30.'],
    'a word that is not offered': [
      'create',
      'Error',
      'sim.svc.io/create: "Error" is not one of CreateContainerConfigError, CreateContainerError, RunContainerError.',
    ],
    'one word only': ['pull', 'slow', 'sim.svc.io/pull: "slow" is not "fail".'],
    'a span that ends before it begins': [
      'unready-at',
      '90-60',
      'sim.svc.io/unready-at: "90-60" is not seconds after the start, a span such as 60-90, or a list of them.',
    ],
    'an exit code that is none': [
      'exit-code',
      '256',
      'sim.svc.io/exit-code: "256" is not a whole number from 1 to 255.',
    ],
    'a word for a yes': ['never-ready', 'yes', 'sim.svc.io/never-ready: "yes" is not "true" or "false".'],
    'a name nobody knows': ['explode', '1', `sim.svc.io/explode is not a behaviour. Known are ${known}.`],
    'unschedulable is a node selector': [
      'unschedulable',
      'true',
      'sim.svc.io/unschedulable is not a behaviour: give the template nodeSelector sim.svc.io/nowhere: "true", which every scheduler refuses.',
    ],
  };
  it.each(Object.entries(refused))('refuses %s', (_sentence, [name, value, problem]) => {
    expect(parseBehaviour({ [`sim.svc.io/${name}`]: value }, 0)).toEqual({ behaviour: {}, problems: [problem] });
  });
});
