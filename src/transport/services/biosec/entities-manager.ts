// EntitiesManager: persons and fraudsters, groups and watchlists.
import type { BiometricsDeps } from '../../../biometrics/ports/deps.js';
import { EntitiesManager } from '../../../gen/vendor/biosec/v1/entities/entities_pb.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { collectionHandlers } from './entities-collections.js';
import { partyHandlers } from './entities-parties.js';
import { biosecAccess } from './shared.js';

export function entitiesManagerService(deps: BiometricsDeps): ServiceBinding {
  return bindService(EntitiesManager, biosecAccess, { ...partyHandlers(deps), ...collectionHandlers(deps) });
}
