// Notes kept among the installation's small values, through which nodes find each other and learn which
// speaker models are in use.
import type { NodeNotes } from '../nodes/registry.js';
import type { Database } from './database.js';
import { deleteSetting, writeSetting } from './settings.js';

type NoteKind = 'node' | 'speaker-model';

export function nodeNotes(database: Database, kind: NoteKind = 'node'): NodeNotes {
  const prefix = `${kind}.`;
  return {
    write: (nodeId, note) => writeSetting(database, prefix + nodeId, note),
    async list() {
      const rows = await database.db
        .selectFrom('settings')
        .select(['name', 'value'])
        .where('name', 'like', `${prefix}%`)
        .execute();
      return rows.map(({ name, value }) => ({ nodeId: name.slice(prefix.length), note: value }));
    },
    async remove(nodeId, note) {
      await deleteSetting(database, prefix + nodeId, note);
    },
  };
}
