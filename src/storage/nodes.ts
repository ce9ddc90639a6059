// Notes kept among the installation's small values, through which nodes learn of each other.
import type { NodeNotes } from '../nodes/registry.js';
import type { Database } from './database.js';
import { deleteSetting, writeSetting } from './settings.js';

const PREFIX = 'speaker-model.';

export function nodeNotes(database: Database): NodeNotes {
  return {
    write: (nodeId, note) => writeSetting(database, PREFIX + nodeId, note),
    async list() {
      const rows = await database.db
        .selectFrom('settings')
        .select(['name', 'value'])
        .where('name', 'like', `${PREFIX}%`)
        .execute();
      return rows.map(({ name, value }) => ({ nodeId: name.slice(PREFIX.length), note: value }));
    },
    async remove(nodeId, note) {
      await deleteSetting(database, PREFIX + nodeId, note);
    },
  };
}
