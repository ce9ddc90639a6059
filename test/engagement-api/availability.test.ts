// The availability rule as a table of situations.
import { describe, expect, it } from 'vitest';
import { judgeAvailability, type AvailabilityQuestion } from '../../src/engagement-api/availability.js';
import { parseAgentAttributes } from '../../src/engagement-api/get-availability.js';
import type { Agent, AgentGroup, HoursOfOperation } from '../../src/engagement-api/model.js';

const group = (over: Partial<AgentGroup> = {}): AgentGroup => ({
  siteId: 's',
  agentGroupId: 'g1',
  businessUnitId: '1',
  name: '',
  queueCapacity: 0,
  queueLength: 0,
  ...over,
});
const agent = (over: Partial<Agent> = {}): Agent => ({
  siteId: 's',
  agentId: 'a',
  name: '',
  agentGroupIds: ['g1'],
  state: 'available',
  slots: 2,
  slotsUsed: 0,
  attributes: {},
  ...over,
});
const closed = (agentGroupId: string | undefined): HoursOfOperation => ({
  siteId: 's',
  hoursId: 'h',
  agentGroupId,
  timeZone: 'UTC',
  spans: [],
  exceptions: [],
});
const open = (agentGroupId: string | undefined): HoursOfOperation => ({
  ...closed(agentGroupId),
  spans: ([1, 2, 3, 4, 5, 6, 7] as const).map((weekday) => ({ weekday, startMinute: 0, endMinute: 1440 })),
});
const judge = (over: Partial<AvailabilityQuestion>) =>
  judgeAvailability({
    groups: [group()],
    hours: [],
    agents: [],
    queueThreshold: undefined,
    attributes: {},
    atMs: 0,
    ...over,
  });

describe('availability', () => {
  it.each([
    ['nobody is logged in', { agents: [agent({ state: 'offline' })] }, false, 'offline'],
    ['there is no agent at all', {}, false, 'offline'],
    ['an agent has a free slot', { agents: [agent({ slotsUsed: 1 })] }, true, 'online'],
    ['all slots are taken and there is no queue', { agents: [agent({ slotsUsed: 2 })] }, false, 'online'],
    ['agents are logged in but take nothing new', { agents: [agent({ state: 'busy' })] }, false, 'busy'],
    [
      'a queue has room',
      { groups: [group({ queueCapacity: 5, queueLength: 4 })], agents: [agent({ state: 'busy' })] },
      true,
      'busy',
    ],
    [
      'the queue is full',
      { groups: [group({ queueCapacity: 5, queueLength: 5 })], agents: [agent({ slotsUsed: 2 })] },
      false,
      'online',
    ],
    ['a queue has room but nobody works on it', { groups: [group({ queueCapacity: 5 })] }, false, 'offline'],
    [
      'the queue is as long as the threshold',
      {
        groups: [group({ queueCapacity: 5, queueLength: 3 })],
        agents: [agent({ state: 'busy' })],
        queueThreshold: 3,
      },
      true,
      'busy',
    ],
    [
      'the queue is longer than the threshold',
      {
        groups: [group({ queueCapacity: 5, queueLength: 3 })],
        agents: [agent({ state: 'busy' })],
        queueThreshold: 2,
      },
      false,
      'busy',
    ],
    [
      'a free agent outweighs a long queue',
      { groups: [group({ queueCapacity: 5, queueLength: 3 })], agents: [agent()], queueThreshold: 0 },
      true,
      'online',
    ],
    ['agents of other groups do not count', { agents: [agent({ agentGroupIds: ['g2'] })] }, false, 'offline'],
    [
      'an attribute fits',
      { agents: [agent({ attributes: { language: 'de', skill: 'loans' } })], attributes: { language: 'de' } },
      true,
      'online',
    ],
    [
      'one of two attributes does not fit',
      { agents: [agent({ attributes: { language: 'de' } })], attributes: { language: 'de', skill: 'loans' } },
      false,
      'offline',
    ],
  ] as const)('when %s', (_situation, over, isAvailable, status) => {
    expect(judge(over as Partial<AvailabilityQuestion>)).toMatchObject({
      isAvailable,
      isInHop: true,
      status,
    });
  });

  it('is never outside the hours of operation, whoever is there', () => {
    expect(judge({ hours: [closed(undefined)], agents: [agent()] })).toMatchObject({
      isAvailable: false,
      isInHop: false,
      status: 'online',
    });
  });

  it('puts the hours of a group before those of the site', () => {
    expect(judge({ hours: [closed(undefined), open('g1')], agents: [agent()] })).toMatchObject({
      isAvailable: true,
      isInHop: true,
    });
    expect(judge({ hours: [open(undefined), closed('g1')], agents: [agent()] })).toMatchObject({
      isAvailable: false,
      isInHop: false,
    });
  });

  it('of a business unit needs an open group with somebody free in that very group', () => {
    const groups = [group(), group({ agentGroupId: 'g2' })];
    const hours = [closed('g1'), open('g2')];
    expect(judge({ groups, hours, agents: [agent()] })).toMatchObject({ isAvailable: false, isInHop: true });
    expect(judge({ groups, hours, agents: [agent({ agentGroupIds: ['g2'] })] })).toMatchObject({
      isAvailable: true,
      isInHop: true,
    });
    expect(judge({ groups: [], hours: [closed(undefined)] })).toMatchObject({
      isInHop: false,
      status: 'offline',
    });
  });

  it('counts what it was judged by', () => {
    const agents = [
      agent({ slotsUsed: 1 }),
      agent({ agentId: 'b', state: 'busy' }),
      agent({ agentId: 'c', slots: 1, slotsUsed: 3 }),
    ];
    expect(judge({ groups: [group({ queueLength: 7 })], agents })).toMatchObject({
      agentsLoggedIn: 3,
      agentsActive: 2,
      freeSlots: 1,
      queueLength: 7,
    });
  });
});

it('reads agent attributes strictly', () => {
  expect(parseAgentAttributes('')).toEqual({});
  expect(parseAgentAttributes('language,de; skill , loans ;')).toEqual({ language: 'de', skill: 'loans' });
  for (const wrong of ['language', ',de', 'language,', 'a,1;a,2', 'x'.repeat(5000)])
    expect(parseAgentAttributes(wrong)).toBeUndefined();
  expect(parseAgentAttributes('__proto__,x')).toEqual(Object.fromEntries([['__proto__', 'x']]));
});
