// The contact center model behind the engagement API. Its clients are in the tables of the authorization server.
import type { Migration } from './migration.js';

export const engagement: Migration = {
  version: 3,
  name: 'engagement',
  async up(db) {
    await db.schema
      .createTable('engagement_sites')
      .addColumn('site_id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('time_zone', 'text', (c) => c.notNull())
      .execute();

    await db.schema
      .createTable('engagement_business_units')
      .addColumn('site_id', 'text', (c) => c.notNull())
      .addColumn('business_unit_id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('engagement_business_units_pk', ['site_id', 'business_unit_id'])
      .execute();

    await db.schema
      .createTable('engagement_agent_groups')
      .addColumn('site_id', 'text', (c) => c.notNull())
      .addColumn('agent_group_id', 'text', (c) => c.notNull())
      .addColumn('business_unit_id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('queue_capacity', 'integer', (c) => c.notNull())
      .addColumn('queue_length', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('engagement_agent_groups_pk', ['site_id', 'agent_group_id'])
      .execute();

    await db.schema
      .createTable('engagement_hours')
      .addColumn('site_id', 'text', (c) => c.notNull())
      .addColumn('hours_id', 'text', (c) => c.notNull())
      .addColumn('agent_group_id', 'text')
      .addColumn('time_zone', 'text', (c) => c.notNull())
      .addColumn('spans', 'text', (c) => c.notNull())
      .addColumn('exceptions', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('engagement_hours_pk', ['site_id', 'hours_id'])
      .execute();

    await db.schema
      .createTable('engagement_agents')
      .addColumn('site_id', 'text', (c) => c.notNull())
      .addColumn('agent_id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('agent_group_ids', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('slots', 'integer', (c) => c.notNull())
      .addColumn('slots_used', 'integer', (c) => c.notNull())
      .addColumn('attributes', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('engagement_agents_pk', ['site_id', 'agent_id'])
      .execute();
  },
};
