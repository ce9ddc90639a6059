// The contact center model behind the engagement API. Its clients are in the tables of the authorization server.

export const ENGAGEMENT = `
-- Sites; one with a tenant is looked after by operators of that tenant alone.
create table engagement_sites (
  site_id text primary key, name text not null, time_zone text not null, tenant_id text
);
create table engagement_business_units (
  site_id text not null, business_unit_id text not null, name text not null,
  constraint engagement_business_units_pk primary key (site_id, business_unit_id)
);
create table engagement_agent_groups (
  site_id text not null, agent_group_id text not null, business_unit_id text not null, name text not null,
  queue_capacity integer not null, queue_length integer not null,
  constraint engagement_agent_groups_pk primary key (site_id, agent_group_id)
);
create table engagement_hours (
  site_id text not null, hours_id text not null, agent_group_id text, time_zone text not null,
  spans text not null, exceptions text not null, constraint engagement_hours_pk primary key (site_id, hours_id)
);
create table engagement_agents (
  site_id text not null, agent_id text not null, name text not null, agent_group_ids text not null,
  state text not null, slots integer not null, slots_used integer not null, attributes text not null,
  constraint engagement_agents_pk primary key (site_id, agent_id)
);
`;
