import { describe, expect, it } from 'vitest';
import { callsBetween, callsText, ofEach, parseCalls, writesIn } from './calls.ts';

const line = (schema: string, value: string) =>
  `apiserver_flowcontrol_dispatched_requests_total{flow_schema="${schema}",priority_level="exempt"} ${value}`;

const metrics = [
  '# TYPE apiserver_flowcontrol_dispatched_requests_total counter',
  line('bench-ours-patch', '1000'),
  line('bench-ours-list', '1.2e+01'),
  line('bench-other-patch', '7'),
  line('exempt', '900'),
  'apiserver_flowcontrol_rejected_requests_total{flow_schema="bench-ours-patch"} 5',
  'apiserver_request_total{code="200",verb="PATCH"} 4000',
].join('\n');

describe('calls by verb', () => {
  it('are read for one caller, whoever else called', () => {
    expect(parseCalls(metrics, 'ours')).toEqual({ ...ofEach(() => 0), patch: 1000, list: 12 });
    expect(parseCalls(metrics, 'other')).toEqual({ ...ofEach(() => 0), patch: 7 });
  });

  it('are none where the apiserver knows of none', () => {
    expect(parseCalls('', 'ours')).toEqual(ofEach(() => 0));
  });

  it('are added up over the priority levels that a schema had', () => {
    const two = `${line('bench-ours-get', '2')}\n${line('bench-ours-get', '3').replace('"exempt"}', '"other"}')}`;
    expect(parseCalls(two, 'ours').get).toBe(5);
  });

  it('are what came between two readings', () => {
    const before = { ...ofEach(() => 1), patch: 10 };
    const after = { ...ofEach(() => 1), patch: 30, list: 4 };
    expect(callsBetween(before, after)).toEqual({ ...ofEach(() => 0), patch: 20, list: 3 });
  });

  it('count as writes when they change something', () => {
    expect(writesIn(ofEach(() => 1))).toBe(4);
    expect(writesIn({ ...ofEach(() => 0), get: 5, list: 5, watch: 5, other: 5 })).toBe(0);
  });

  it.each([
    ['none', {}],
    ['3 list, 1000 patch', { patch: 1000, list: 3 }],
  ])('are said as %s', (text, some) => {
    expect(callsText({ ...ofEach(() => 0), ...some })).toBe(text);
  });
});
