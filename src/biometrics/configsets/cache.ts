// Parsed parameters by revision. Revisions never change, so an entry is valid forever; the cache is limited because tenants
// may have many.
import type { ConfigsetRevision } from '../model/configsets.js';
import { defaultParameters, type Parameters } from '../model/parameters.js';
import { validateDocument } from './validate.js';

const ENTRIES_MAX = 1000;

export class ConfigsetCache {
  readonly #byRevision = new Map<string, Parameters>();

  parametersOf(revision: ConfigsetRevision): Parameters {
    const known = this.#byRevision.get(revision.gkConfigsetRevisionId);
    if (known) return known;
    const validation = validateDocument(revision.content);
    // An ACTIVE revision was validated when it was activated; should an upgrade have narrowed a range since,
    // the defaults are the safe reading.
    const parameters = validation.ok ? validation.parameters : defaultParameters;
    if (this.#byRevision.size >= ENTRIES_MAX) this.#byRevision.clear();
    this.#byRevision.set(revision.gkConfigsetRevisionId, parameters);
    return parameters;
  }
}
