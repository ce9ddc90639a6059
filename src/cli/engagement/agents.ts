// `voxgate agents`: the contact center model behind the availability question, and the question itself.
import type { Command } from 'commander';
import { getAvailability, parseAgentAttributes } from '../../engagement-api/get-availability.js';
import {
  deleteAgentGroup,
  deleteHours,
  listAgentGroups,
  listHours,
  upsertAgentGroup,
  upsertHours,
} from '../../engagement-api/manage-agent-groups.js';
import { deleteAgent, listAgents, setAgentState, upsertAgent } from '../../engagement-api/manage-agents.js';
import {
  deleteBusinessUnit,
  deleteSite,
  listBusinessUnits,
  listSites,
  upsertBusinessUnit,
  upsertSite,
} from '../../engagement-api/manage-sites.js';
import type { AgentState } from '../../engagement-api/model.js';
import { AppError } from '../../errors.js';
import type { CliIo } from '../io.js';
import { collect, list, table, text, timeMs, wholeNumber } from '../flags.js';
import { addCommand } from '../applications/management.js';
import { parseException, parseWeekly } from './opening-hours.js';
import { inEnglish } from '../../words/server/say.js';

const queryNames = { siteId: 'site', businessUnitId: 'business unit', agentGroupId: '--group' };

export function registerAgents(program: Command, io: CliIo): void {
  const agents = program
    .command('agents')
    .description(
      'manage the sites, business units, agent groups, opening hours and agents behind the engagement API',
    );
  registerSites(agents, io);
  registerUnits(agents, io);
  registerGroups(agents, io);
  registerHours(agents, io);
  registerPeople(agents, io);
  registerStates(agents, io);
  registerAvailability(agents, io);
}

function registerAvailability(agents: Command, io: CliIo): void {
  addCommand(
    agents,
    io,
    'available <site> <unit>',
    'show whether agents are available, as the engagement API would answer',
    async ({ engagement }, [siteId = '', businessUnitId = ''], flags) => {
      const agentGroupId = text(flags, 'group');
      const queueThreshold = wholeNumber(flags, 'queueThreshold');
      const attributes = parseAgentAttributes(text(flags, 'attributes') ?? '');
      const atMs = timeMs(flags, 'at');
      if (!attributes)
        throw new AppError(
          'INVALID_REQUEST',
          inEnglish('--attributes must have the form name,value;name,value'),
        );
      const input = {
        siteId,
        businessUnitId,
        attributes,
        ...(agentGroupId === undefined ? {} : { agentGroupId }),
        ...(queueThreshold === undefined ? {} : { queueThreshold }),
        ...(atMs === undefined ? {} : { atMs }),
      };
      const found = await getAvailability(engagement, input, queryNames);
      return {
        value: found,
        lines: [
          `${found.isAvailable ? 'available' : 'not available'}, ${found.isInHop ? 'within' : 'outside'} hours of operation, ${found.status}`,
        ],
      };
    },
  )
    .option('--group <id>', 'only this agent group')
    .option('--queue-threshold <number>', 'longest queue that still counts as available')
    .option('--attributes <list>', 'attributes an agent must have: name,value;name,value')
    .option('--at <time>', 'a time other than now, such as 2024-12-24T10:00:00Z');
}

function registerSites(agents: Command, io: CliIo): void {
  addCommand(agents, io, 'sites', 'list sites', async ({ engagement, call }) => {
    const sites = await listSites(engagement, call);
    return {
      value: { sites },
      lines: table(
        sites.map((site) => [site.siteId, site.timeZone, site.name, site.tenantId ?? '']),
        'no sites',
      ),
    };
  });
  addCommand(
    agents,
    io,
    'set-site <site>',
    'create or replace a site',
    async ({ engagement, call }, [siteId = ''], flags) => {
      const site = {
        siteId,
        name: text(flags, 'name') ?? siteId,
        timeZone: text(flags, 'timeZone') ?? 'UTC',
        tenantId: text(flags, 'tenant'),
      };
      return { value: await upsertSite(engagement, call, site), lines: [`site ${siteId} set`] };
    },
  )
    .option('--name <text>', 'display name')
    .option('--time-zone <name>', 'IANA time zone, such as Europe/Berlin (default: UTC)')
    .option('--tenant <id>', 'the tenant whose operators look after it (default: those of every tenant)');
  addCommand(
    agents,
    io,
    'delete-site <site>',
    'delete a site with everything that belongs to it',
    async ({ engagement, call }, [siteId = '']) => {
      await deleteSite(engagement, call, { siteId });
      return { value: { siteId, deleted: true }, lines: ['deleted'] };
    },
  );
}

function registerUnits(agents: Command, io: CliIo): void {
  addCommand(
    agents,
    io,
    'units <site>',
    'list business units',
    async ({ engagement, call }, [siteId = '']) => {
      const units = await listBusinessUnits(engagement, call, { siteId });
      return {
        value: { businessUnits: units },
        lines: table(
          units.map((unit) => [unit.businessUnitId, unit.name]),
          'no business units',
        ),
      };
    },
  );
  addCommand(
    agents,
    io,
    'set-unit <site> <number>',
    'create or replace a business unit',
    async ({ engagement, call }, [siteId = '', businessUnitId = ''], flags) => {
      const unit = { siteId, businessUnitId, name: text(flags, 'name') ?? '' };
      return {
        value: await upsertBusinessUnit(engagement, call, unit),
        lines: [`business unit ${businessUnitId} set`],
      };
    },
  ).option('--name <text>', 'display name');
  addCommand(
    agents,
    io,
    'delete-unit <site> <number>',
    'delete a business unit',
    async ({ engagement, call }, [siteId = '', businessUnitId = '']) => {
      await deleteBusinessUnit(engagement, call, { siteId, businessUnitId });
      return { value: { siteId, businessUnitId, deleted: true }, lines: ['deleted'] };
    },
  );
}

function registerGroups(agents: Command, io: CliIo): void {
  addCommand(
    agents,
    io,
    'groups <site>',
    'list agent groups',
    async ({ engagement, call }, [siteId = '']) => {
      const groups = await listAgentGroups(engagement, call, { siteId });
      const rows = groups.map((group) => [
        group.agentGroupId,
        `unit ${group.businessUnitId}`,
        `queue ${group.queueLength}/${group.queueCapacity}`,
        group.name,
      ]);
      return { value: { agentGroups: groups }, lines: table(rows, 'no agent groups') };
    },
  );
  addCommand(
    agents,
    io,
    'set-group <site> <group>',
    'create or replace an agent group',
    async ({ engagement, call }, [siteId = '', agentGroupId = ''], flags) => {
      const group = {
        siteId,
        agentGroupId,
        businessUnitId: text(flags, 'unit') ?? '',
        name: text(flags, 'name') ?? '',
        queueCapacity: wholeNumber(flags, 'queueCapacity') ?? 0,
        queueLength: wholeNumber(flags, 'queueLength') ?? 0,
      };
      return {
        value: await upsertAgentGroup(engagement, call, group),
        lines: [`agent group ${agentGroupId} set`],
      };
    },
  )
    .requiredOption('--unit <number>', 'business unit it serves')
    .option('--name <text>', 'display name')
    .option('--queue-capacity <number>', 'how many conversations may wait (default: 0)')
    .option('--queue-length <number>', 'how many are waiting now (default: 0)');
  addCommand(
    agents,
    io,
    'delete-group <site> <group>',
    'delete an agent group',
    async ({ engagement, call }, [siteId = '', agentGroupId = '']) => {
      await deleteAgentGroup(engagement, call, { siteId, agentGroupId });
      return { value: { siteId, agentGroupId, deleted: true }, lines: ['deleted'] };
    },
  );
}

function registerHours(agents: Command, io: CliIo): void {
  addCommand(
    agents,
    io,
    'hours <site>',
    'list hours of operation',
    async ({ engagement, call }, [siteId = '']) => {
      const hours = await listHours(engagement, call, { siteId });
      const rows = hours.map((each) => [
        each.hoursId,
        each.agentGroupId ?? 'whole site',
        each.timeZone,
        `${each.spans.length} spans`,
        `${each.exceptions.length} exceptions`,
      ]);
      return { value: { hours }, lines: table(rows, 'no hours of operation: always open') };
    },
  );
  addCommand(
    agents,
    io,
    'set-hours <site> <hours>',
    'create or replace hours of operation',
    async ({ engagement, call }, [siteId = '', hoursId = ''], flags) => {
      const hours = {
        siteId,
        hoursId,
        agentGroupId: text(flags, 'group'),
        timeZone: text(flags, 'timeZone') ?? '',
        spans: list(flags, 'open').flatMap(parseWeekly),
        exceptions: list(flags, 'exception').map(parseException),
      };
      return { value: await upsertHours(engagement, call, hours), lines: [`hours ${hoursId} set`] };
    },
  )
    .option('--group <id>', 'agent group they apply to (default: the whole site)')
    .option('--time-zone <name>', 'IANA time zone (default: that of the site)')
    .option('--open <span>', 'such as mon-fri=09:00-17:00 or sat=22:00-02:00; repeat for several', collect)
    .option(
      '--exception <date>',
      'such as 2024-12-25=closed or 2024-12-24=09:00-12:00; repeat for several',
      collect,
    );
  addCommand(
    agents,
    io,
    'delete-hours <site> <hours>',
    'delete hours of operation',
    async ({ engagement, call }, [siteId = '', hoursId = '']) => {
      await deleteHours(engagement, call, { siteId, hoursId });
      return { value: { siteId, hoursId, deleted: true }, lines: ['deleted'] };
    },
  );
}

function registerPeople(agents: Command, io: CliIo): void {
  addCommand(agents, io, 'list <site>', 'list agents', async ({ engagement, call }, [siteId = ''], flags) => {
    const agentGroupId = text(flags, 'group');
    const found = await listAgents(engagement, call, {
      siteId,
      ...(agentGroupId === undefined ? {} : { agentGroupId }),
    });
    const rows = found.map((agent) => [
      agent.agentId,
      agent.state,
      `slots ${agent.slotsUsed}/${agent.slots}`,
      agent.agentGroupIds.join(' '),
      agent.name,
    ]);
    return { value: { agents: found }, lines: table(rows, 'no agents') };
  }).option('--group <id>', 'only members of this agent group');
  addCommand(
    agents,
    io,
    'set <site> <agent>',
    'create or replace an agent',
    async ({ engagement, call }, [siteId = '', agentId = ''], flags) => {
      const attributes = parseAgentAttributes(text(flags, 'attributes') ?? '');
      if (!attributes)
        throw new AppError(
          'INVALID_REQUEST',
          inEnglish('--attributes must have the form name,value;name,value'),
        );
      const agent = {
        siteId,
        agentId,
        name: text(flags, 'name') ?? '',
        agentGroupIds: list(flags, 'group'),
        state: toState(text(flags, 'state') ?? 'offline'),
        slots: wholeNumber(flags, 'slots') ?? 1,
        slotsUsed: wholeNumber(flags, 'used') ?? 0,
        attributes,
      };
      return { value: await upsertAgent(engagement, call, agent), lines: [`agent ${agentId} set`] };
    },
  )
    .option('--name <text>', 'display name')
    .option('--group <id>', 'agent group; repeat for several', collect)
    .option('--state <state>', 'offline, available or busy (default: offline)')
    .option('--slots <number>', 'conversations the agent can hold at once (default: 1)')
    .option('--used <number>', 'conversations the agent holds now (default: 0)')
    .option('--attributes <list>', 'attributes, such as language,de;product,cards');
}

function registerStates(agents: Command, io: CliIo): void {
  addCommand(
    agents,
    io,
    'state <site> <agent> <state>',
    'set the state of an agent: offline, available or busy',
    async ({ engagement, call }, [siteId = '', agentId = '', state = ''], flags) => {
      const slotsUsed = wholeNumber(flags, 'used');
      const input = {
        siteId,
        agentId,
        state: toState(state),
        ...(slotsUsed === undefined ? {} : { slotsUsed }),
      };
      return { value: await setAgentState(engagement, call, input), lines: [`agent ${agentId} is ${state}`] };
    },
  ).option('--used <number>', 'conversations the agent holds now (default: unchanged)');
  addCommand(
    agents,
    io,
    'delete <site> <agent>',
    'delete an agent',
    async ({ engagement, call }, [siteId = '', agentId = '']) => {
      await deleteAgent(engagement, call, { siteId, agentId });
      return { value: { siteId, agentId, deleted: true }, lines: ['deleted'] };
    },
  );
}

function toState(word: string): AgentState {
  if (word === 'offline' || word === 'available' || word === 'busy') return word;
  throw new AppError('INVALID_REQUEST', inEnglish('the state must be offline, available or busy'));
}
