// Reads applications with their environments, as far as the caller belongs to them.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { AuthDeps } from '../deps.js';
import type { Application, ApplicationMember, Environment } from '../model.js';
import { requireMember, requireUserId, seesEverything } from '../permissions.js';

interface ApplicationDetails {
  application: Application;
  members: ApplicationMember[];
  environments: Environment[];
}

export async function listApplications(deps: AuthDeps, call: Call): Promise<Application[]> {
  const { applications } = deps.store.direct;
  if (seesEverything(call)) return applications.list({});
  const found = await applications.list({ userId: requireUserId(call) });
  const { clientOwnerId } = call.caller;
  if (clientOwnerId === undefined) return found;
  const others = new Set(
    (await applications.list({ userId: clientOwnerId })).map((each) => each.applicationId),
  );
  return found.filter((each) => others.has(each.applicationId));
}

export async function getApplication(
  deps: AuthDeps,
  call: Call,
  input: { applicationId: string },
): Promise<ApplicationDetails> {
  const { applicationId } = input;
  await requireMember(deps, call, applicationId);
  const { applications, environments } = deps.store.direct;
  const application = await applications.get(applicationId);
  if (!application) throw notFound('application', 'application_id');
  return {
    application,
    members: await applications.members(applicationId),
    environments: await environments.list({ applicationId }),
  };
}
