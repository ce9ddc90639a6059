// The audit trail names who and what was deleted, and is searched by these names, until personal data is erased.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Activity } from '../../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { Platform, forEachStore } from '../support.js';

await forEachStore((store) => {
  describe('names of what was deleted', () => {
    let platform: Platform;
    beforeAll(async () => {
      platform = await Platform.start({ config: await store.settings() });
    }, 300_000);
    afterAll(() => platform?.stop());

    const audited = async (query = '') => {
      const context = { gkScopeId: { value: platform.gkScopeId } };
      const { records } = await platform.server.grpc(Activity).listAuditRecords({ context, query });
      return records.map(({ operation, objectName }) => `${operation} ${objectName}`.trim());
    };

    it('says whose voiceprint and who was deleted, which list it was, and nothing after an erasure', async () => {
      const name = 'hans.huber';
      const { profile, owner } = await platform.printOf('anna', 'person', name);
      const context = await platform.open();
      const remove = async (path: string) => {
        const { status } = await platform.server.rest('DELETE', `${path}?${platform.query(context)}`);
        expect([path, status]).toEqual([path, 200]);
      };
      await remove(`/v1/voiceprints/profiles/${profile}`);
      expect(await audited('DeleteVoiceprintProfile')).toEqual([`DeleteVoiceprintProfile ${name}`]);
      // Also what was done with it before, where only the print is named.
      for (const act of ['Enroll', 'Train']) expect(await audited(act)).toContain(`${act} ${name}`);

      const group = await platform.post('/v1/groups', { context, groupId: 'ring' });
      await platform.post(`/v1/groups/${group.body.gkGroupId.value}/persons`, {
        context,
        gkPersonId: { value: owner },
      });
      const gkGroupId = String(group.body.gkGroupId.value);
      await remove(`/v1/groups/${gkGroupId}`);
      expect(await audited('RING')).toEqual(['DeleteGroup ring', 'CreateGroup ring']);

      await remove(`/v1/persons/${owner}`);
      const rows = [`DeletePerson ${name}`, `CreatePerson ${name}`, `DeleteVoiceprintProfile ${name}`];
      expect(await audited(name.toUpperCase())).toEqual(expect.arrayContaining(rows));

      await remove(`/v1/persons/${owner}/personal-data`);
      await expect.poll(() => audited(name)).toEqual([]);
      expect((await audited()).filter((row) => row.includes(name))).toEqual([]);
      expect(await audited('DeletePerson')).toContain('DeletePerson');
    });
  });
});
