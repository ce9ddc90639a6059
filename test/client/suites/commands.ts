// The commands for people on a running server: what they print, for people and for programs, and how they end.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, expect, it } from 'vitest';
import { sessionsCsv } from '../../../src/console/pages/sessions/sessions-csv.js';
import type { SessionEntryJson } from '../../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { runVoxgate, type Outcome } from '../../cli/run-voxgate.js';
import { byColumn } from '../../console/csv.js';
import { files, voices, type Kit } from '../kit.js';

type Listed = {
  sessions: { details: { gkSessionId: { value: string }; sessionType?: string }; factorCount?: number }[];
};

export function commandsSuite(kit: () => Kit): void {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-commands-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (...args: string[]): Promise<Outcome> => runVoxgate(args, kit().environment);
  const json = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { out } = await run(...args, '--json');
    return JSON.parse(out) as Record<string, unknown>;
  };

  it('enroll a person with progress, and say when more recordings are needed', async () => {
    const [first = '', ...others] = files('emil', 1, 2, 3);
    const one = await run('enroll', 'emil', first);
    expect(one).toMatchObject({ code: 2, out: 'not trained: more recordings are needed\n' });
    expect(one.err).toMatch(/^1\.opus: added, [\d.]+ s of speech\n$/);
    const all = await run('enroll', 'emil', ...others, '--consent');
    expect(all).toMatchObject({ code: 0, out: 'trained: emil can be verified now\n' });
    expect((await run('person', 'show', 'emil')).out).toMatch(/Consent +opted in\n/);
  });

  it('verify: the exit code is the answer', async () => {
    const [own = '', other = ''] = [...files('emil', 4), ...files('fritz', 4)];
    const yes = await run('verify', 'emil', own);
    expect([yes.code, yes.out.split('\n')[0]]).toEqual([0, 'result: Verified']);
    expect(yes.out).toMatch(/\ncaveat: Not checked for attacks \(Synthetic speech, .*\)\. .*\n/);
    const no = await run('verify', 'emil', other, '--whole');
    expect([no.code, no.out.split('\n')[0]]).toEqual([2, 'result: No match']);
    const made = await json('verify', 'emil', own);
    expect(made).toMatchObject({ decision: 'AUTHENTIC' });
    // What the page of the session says.
    const { gkSessionId, assessment } = made as { gkSessionId: string; assessment: object };
    expect(await json('session', 'show', gkSessionId)).toMatchObject({ assessment });
    expect((await run('session', 'show', gkSessionId)).out).toContain(
      yes.out.split('\n').slice(0, -2).join('\n'),
    );
  });

  it('identify names the person', async () => {
    const { voxgate } = kit();
    await voxgate.inSession(async ({ context }) => {
      const { gkGroupId } = await voxgate.call('CreateGroup', { context, groupId: 'callers' });
      const { gkPersonId } = await voxgate.call('GetGkPersonId', {
        context: voxgate.context,
        personId: 'emil',
      });
      await voxgate.call('AddPersonToGroup', { context, gkGroupId, gkPersonId });
    });
    const [call = ''] = files('emil', 5);
    const { code, out } = await run('identify', 'callers', call);
    expect([code, out.split('\n').slice(0, 2)]).toEqual([0, ['emil', 'result: Verified']]);
  });

  it('prompt: draws digits that can be answered once, and says whether and how an answer fails', async () => {
    const digits = (name: string): string =>
      join(import.meta.dirname, '..', '..', 'fixtures', 'words', `${name}.wav`);
    const said = await run('prompt', 'check', '7391', digits('slt-7391'));
    expect(said.code).toBe(0);
    expect(said.out).toMatch(
      /^AUTHENTIC \(AUDIO_OK\)\nscore of the words [\d.]+, heard seven three nine one\n$/,
    );
    const other = await run('prompt', 'check', 'seven three eight one', digits('slt-7391'));
    expect([other.code, other.out.split('\n')[0]]).toEqual([2, 'NO_MATCH (WORDS_NO_MATCH)']);
    expect((await run('prompt', 'new')).out).toMatch(
      /^[a-z]+( [a-z]+){3}\nto be answered until 20\d\d-[\d-]+T[\d:.]+Z\n$/,
    );
    const drawn = await json('prompt', 'new');
    expect(String(drawn['ivrInfo'])).toMatch(/^\d{4}$/);
    const [reference = ''] = files('bruno', 4);
    const answered = [
      'prompt',
      'check',
      String(drawn['ivrInfo']),
      digits('slt-7391'),
      '--reference',
      reference,
    ];
    const failed = await run(...answered);
    expect(failed.code).toBe(2);
    expect(failed.out).toMatch(
      /^NO_MATCH \((WORDS_NO_MATCH, )?VOICE_NO_MATCH\)\nscore of the words -?[\d.]+, score of the voice -[\d.]+\n$/,
    );
    expect(await run(...answered)).toMatchObject({ code: 1, err: expect.stringContaining('answered') });
    const misread = await run('prompt', 'check', 'hello', digits('slt-7391'));
    expect(misread).toMatchObject({ code: 1, out: '', err: expect.stringContaining('digits') });
  });

  it('person: exported, held and let go, erased and certified', async () => {
    await run('enroll', 'held', ...files('dora', 1, 2, 3));
    const archive = join(folder, 'held.zip');
    expect(await run('person', 'export', 'held', '--out', archive)).toMatchObject({ code: 0 });
    expect(readFileSync(archive).subarray(0, 2).toString()).toBe('PK');
    const { hold } = (await json(
      'person',
      'hold',
      'held',
      '--reason',
      'Case 7',
      '--until',
      '2099-01-31',
    )) as {
      hold: { gkHoldId: { value: string }; gkPersonId: { value: string } };
    };
    expect((await run('person', 'holds')).out).toMatch(
      /person +\d{4}-\d\d-\d\d .* until 2099-0[12]-\d\d +Case 7/,
    );
    const erased = await run('person', 'delete', 'held', '--erase');
    expect(erased.out).toContain('kept on legal hold: 3 recordings');
    const proof = await run('person', 'certificate', hold.gkPersonId.value);
    expect(proof.out).toMatch(
      /0 recordings deleted, 3 kept; asked for by .*; audit record \d+\n\S+\.\S+\.\S+\n/,
    );
    const lifted = await run('person', 'lift', hold.gkHoldId.value, '--reason', 'closed');
    expect(lifted).toMatchObject({ code: 0, out: `lifted ${hold.gkHoldId.value}\n` });
    expect((await run('person', 'hold', 'emil', '--reason', 'x', '--until', 'soon')).code).toBe(1);
  });

  it('person export: hands out only calls in which the person is known to have spoken', async () => {
    const { voxgate } = kit();
    await run('enroll', 'claimed', ...files('bruno', 1, 2, 3));
    const { gkPersonId } = await voxgate.call('GetGkPersonId', {
      context: voxgate.context,
      personId: 'claimed',
    });
    const [own, other] = voices('bruno', 4).concat(voices('carl', 4)) as [Uint8Array, Uint8Array];
    const called = async (
      speech: Uint8Array,
      outcome?: 'AUTHENTIC' | 'FRAUD' | 'SOMEONE_ELSE',
    ): Promise<void> => {
      const ids = await voxgate.inSession(async (session) => {
        const { context } = session;
        const details = { claimedGkPersonId: gkPersonId, ani: `+1555${outcome ?? speech.length}` };
        await voxgate.call('UpdateSession', { context, details, fieldMask: 'claimedGkPersonId,ani' });
        await session.verify({ personId: 'claimed' }, speech);
        return context;
      });
      if (outcome)
        await voxgate.call('RecordOutcome', {
          context: voxgate.context,
          gkEngagementId: ids.gkEngagementId,
          verdict: `ENGAGEMENT_VERDICT_${outcome}`,
        });
    };
    await called(own);
    await called(other, 'AUTHENTIC');
    await called(other);
    await called(own, 'SOMEONE_ELSE');
    await called(own, 'FRAUD');
    const archive = join(folder, 'claimed.zip');
    expect(await run('person', 'export', 'claimed', '--out', archive)).toMatchObject({ code: 0 });
    const exported = unzipSync(new Uint8Array(readFileSync(archive)));
    const read = (name: string) =>
      JSON.parse(Buffer.from(exported[name] ?? []).toString()) as Record<string, unknown>[];
    const grounds = read('recordings.json').map(({ withheld }) => withheld ?? 'handed out');
    expect(grounds.sort()).toEqual([
      ...['EVIDENCE_OF_FRAUD', 'NOT_RECOGNIZED', 'NOT_RECOGNIZED'],
      ...Array<string>(5).fill('handed out'),
    ]);
    expect(Object.keys(exported).filter((name) => name.startsWith('recordings/'))).toHaveLength(5);
    const numbers = JSON.stringify(read('sessions.json')).match(/\+1555\w+/g);
    expect(new Set(numbers)).toEqual(new Set([`+1555${own.length}`, '+1555AUTHENTIC']));
  });

  it('watchlist: made, filled, searched, emptied', async () => {
    const made = await run('enroll', 'fritz', ...files('fritz', 1, 2, 3), '--fraudster');
    expect(made.out).toBe('trained: fritz can be put on a watchlist now\n');
    expect((await run('watchlist', 'create', 'wanted')).out).toBe('created wanted\n');
    // Work of the desk is no call.
    expect((await run('session', 'list', '--most', '1')).out).toMatch(/ over {2}administration /);
    expect((await run('watchlist', 'add', 'wanted', 'fritz')).out).toBe('added fritz\n');
    expect((await run('watchlist', 'show', 'wanted')).out).toBe('fritz  1 trained voiceprint\n');
    const [fraud = '', honest = ''] = [...files('fritz', 5), ...files('emil', 4)];
    expect((await run('watchlist', 'check', 'wanted', fraud)).out).toMatch(
      /^result: Fraud risk\nbecause: .+\npeople: fritz /,
    );
    expect(await run('watchlist', 'check', 'wanted', honest)).toMatchObject({ code: 0 });
    // Who has no voiceprint was not looked for.
    const { voxgate } = kit();
    await voxgate.inSession(({ context }) =>
      voxgate.call('CreateFraudster', { context, fraudsterId: 'untrained' }),
    );
    await run('watchlist', 'add', 'wanted', 'untrained');
    const half = await run('watchlist', 'check', 'wanted', honest);
    expect(half.out).toMatch(/\n1 of 2 members was not compared: no usable voiceprint\n$/);
    expect(await json('watchlist', 'check', 'wanted', honest)).toMatchObject({
      decision: 'NO_RISK_DETECTED',
      notCompared: { count: 1, members: 2 },
    });
    const { sessions } = (await json('session', 'list', '--limit', '9')) as Listed;
    const last = sessions.find(({ details }) => details.sessionType !== 'SESSION_TYPE_ADMINISTRATION');
    const shown = await run('session', 'show', last?.details.gkSessionId.value ?? '');
    expect(shown.out).toMatch(/^result: No risk found\n(?:.*\n)*caveat: Not checked for attacks \(/);
    expect(shown.out).toContain(' 1 of 2 members not compared\n');
    expect(await json('session', 'show', last?.details.gkSessionId.value ?? '')).toMatchObject({
      assessment: {
        caveats: expect.arrayContaining(['SESSION_CAVEAT_ATTACK_CHECK_MISSING']),
      },
    });
    await run('watchlist', 'remove', 'wanted', 'untrained');
    expect((await run('watchlist', 'remove', 'wanted', 'fritz')).out).toBe('removed fritz\n');
    expect((await run('watchlist', 'show', 'wanted')).out).toBe('nobody\n');
    expect((await run('watchlist', 'delete', 'wanted')).code).toBe(0);
    expect((await run('watchlist', 'list')).out).not.toContain('wanted');
  });

  it('watchlist calls and voices: only with a legal basis', async () => {
    expect((await run('watchlist', 'calls', 'fritz')).err).toContain('voiceSearch.hasLegalBasis');
    expect((await run('watchlist', 'calls', 'nobody')).err).toContain('nobody has no voiceprint');
    expect((await run('watchlist', 'searches')).err).toContain('voiceSearch.hasLegalBasis');
    const { voxgate } = kit();
    const { context } = voxgate;
    const { gkConfigsetRevisionId } = await voxgate.call('CreateConfigset', {
      context,
      configsetId: 'SCOPE',
      type: 'CONFIGSET_TYPE_OPERATIONAL',
      rawContent: btoa(
        JSON.stringify({ voiceSearch: { hasLegalBasis: true, searchForNewFraudsters: true } }),
      ),
    });
    await voxgate.call('ActivateConfigsetRevision', { context, gkConfigsetRevisionId });
    const calls = (await run('watchlist', 'calls', 'fritz')).out;
    expect(calls).toMatch(/ score [\d.]+ .* expected by chance\n/);
    // Other suites enroll one voice as several people.
    const { out } = await run('watchlist', 'voices');
    expect(out).toMatch(/^(?:none in \d+ recordings|voice 1  [2-9] identities  .+)\n/);
    const [audio = ''] = calls.split(/ +/).slice(2);
    await run('watchlist', 'create', 'heard');
    // One sentence is too little speech for a print, and nothing is made of it.
    expect((await run('watchlist', 'add-voice', 'heard', 'fritz-again', audio)).code).toBe(1);
    expect((await run('watchlist', 'show', 'heard')).out).toBe('nobody\n');
    expect((await run('watchlist', 'searches')).out).toBe('no searches\n');
  });

  it('person: created, found, deleted', async () => {
    expect((await run('person', 'create', 'gerd', '--first-name', 'Gerd')).out).toBe('created gerd\n');
    expect((await run('person', 'list', '--query', 'gerd')).out).toBe(
      'gerd  Gerd  0 of 0 voiceprints trained\n',
    );
    expect(await json('person', 'list', '--query', 'gerd')).toMatchObject({ complete: true });
    expect((await run('person', 'list', '--limit', '1')).out).toContain('more than 1: narrow it');
    expect((await run('person', 'opt-out', 'gerd')).out).toBe('gerd does not agree; no voiceprint is left\n');
    expect(await run('person', 'delete', 'gerd', '--dry-run')).toMatchObject({ code: 1, out: '' });
    expect((await run('person', 'delete', 'gerd')).out).toMatch(/^deleted gerd\n/);
    expect((await run('person', 'list', '--query', 'gerd')).out).toBe('no people\n');
  });

  it('session: listed, and shown with what was decided', async () => {
    const { sessions } = (await json('session', 'list', '--most', '200')) as Listed;
    const checked = sessions.find(({ factorCount }) => (factorCount ?? 0) > 0);
    const { out, code } = await run('session', 'show', checked?.details.gkSessionId.value ?? '');
    expect(code).toBe(0);
    expect(out).toMatch(/ (AUTHENTIC|NO_MATCH|FRAUD|NO_RISK_DETECTED) /);
  });

  it('session: list, show and the spreadsheet of the console say the same of every session', async () => {
    const { sessions } = (await json('session', 'list', '--most', '200')) as { sessions: SessionEntryJson[] };
    expect(sessions.length).toBeGreaterThan(5);
    const lines = (await run('session', 'list', '--most', '200')).out.split('\n');
    const rows = byColumn(sessionsCsv(sessions));
    for (const [at, { details }] of sessions.entries()) {
      const id = details?.gkSessionId?.value ?? '';
      const { out } = await run('session', 'show', id);
      const row = rows[at] as Record<string, string>;
      const [, result = ''] = /^result: (.*)$/m.exec(out) ?? [];
      const [, because = ''] = /^because: (.*)$/m.exec(out) ?? [];
      const caveats = [...out.matchAll(/^caveat: (.*?)(?: \(.*\))?\. /gm)].map(([, word]) => word);
      expect([row['assessment'], row['causes']]).toEqual([result, because.replaceAll(', ', '; ')]);
      expect(row['caveats']).toBe(caveats.join('; '));
      const line = lines.find((one) => one.startsWith(id)) ?? '';
      for (const word of [result, ...caveats]) expect(line).toContain(word);
    }
  });

  it('watchlist add-voice: a fraudster from stored calls, who is then looked for by itself', async () => {
    const { voxgate } = kit();
    const audios = await voxgate.inSession(async (session) => {
      const ids: string[] = [];
      for (const recording of voices('fritz', 1, 2, 3)) {
        const gkMediaSegmentId = { value: await session.upload(recording) };
        const request = { context: session.context, gkMediaSegmentId };
        const { result } = await voxgate.call('ProcessAudio', request);
        ids.push(result?.gkProcessedAudioId?.value ?? '');
      }
      return ids;
    });
    const added = await run('watchlist', 'add-voice', 'heard', 'fritz-again', ...audios);
    expect(added).toMatchObject({ code: 0, out: 'added fritz-again, from 3 recordings\n' });
    expect((await run('watchlist', 'show', 'heard')).out).toBe('fritz-again  1 trained voiceprint\n');
    const searches = async () => (await run('watchlist', 'searches')).out;
    await expect.poll(searches, { timeout: 120_000 }).toMatch(/ fritz-again +completed +[1-9]\d* calls\n$/);
    const [, search = ''] = (await searches()).split(/ +/);
    expect((await run('watchlist', 'search', search)).out).toMatch(/ score [\d.]+ .* expected by chance\n/);
    expect(await json('watchlist', 'search', search)).toMatchObject({
      search: { fraudsterId: 'fritz-again', state: 'SEARCH_STATE_COMPLETED' },
    });
    expect((await run('watchlist', 'search', 'unknown')).err).toContain('(NOT_FOUND)');
  });

  it('events tail: what happened, and where to go on', async () => {
    const type = 'voxgate.v1.CreateWatchlist';
    const { out, err } = await run('events', 'tail', '--type', type, '--json');
    const told = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(new Set(told)).toEqual(new Set([type]));
    const [, cursor = ''] = /--cursor (\S+)/.exec(err) ?? [];
    expect((await run('events', 'tail', '--type', type, '--cursor', cursor)).out).toBe('');
    expect((await run('events', 'tail', '--type', type)).out).toContain('  CreateWatchlist  ');
  });

  it('take server and client from a profile, such as the report of bootstrap', async () => {
    const profile = join(folder, 'demo.json');
    writeFileSync(profile, JSON.stringify(kit().installation.made), { mode: 0o600 });
    expect(await runVoxgate(['person', 'list', '--profile', profile], {})).toMatchObject({
      code: 0,
      err: '',
    });
    chmodSync(profile, 0o644);
    const readable = await runVoxgate(['person', 'list', '--profile', profile], {});
    expect(readable.err).toContain('others on this machine can read the secret');
    const { server, tenant, clientId, clientSecret } = kit().credentials;
    const secretFile = join(folder, 'secret');
    writeFileSync(secretFile, `${clientSecret}\n`, { mode: 0o600 });
    const flags = ['--server', server, '--tenant', tenant, '--client-id', clientId];
    const byFlags = ['person', 'list', ...flags, '--client-secret-file', secretFile];
    expect(await runVoxgate(byFlags, { XDG_CONFIG_HOME: folder })).toMatchObject({ code: 0, err: '' });
  });

  it('say what is wrong in one line', async () => {
    const nobody = await runVoxgate(['person', 'list', '--tenant', 't'], { XDG_CONFIG_HOME: folder });
    expect(nobody.err).toMatch(
      /^voxgate: no server to talk to: give --server, --client-id, --client-secret-file, or/,
    );
    const wrong = { ...kit().environment, VOXGATE_CLIENT_SECRET: 'wrong' };
    expect((await runVoxgate(['person', 'list'], wrong)).err).toMatch(
      /^voxgate: .*\(invalid_client\): check the client ID and its secret\n$/,
    );
    expect((await run('verify', 'unknown', ...files('emil', 1))).err).toBe(
      'voxgate: unknown has no voiceprint with the tag main (NOT_FOUND)\n',
    );
    expect((await run('verify', 'emil', 'nowhere.wav')).err).toBe('voxgate: no such file: nowhere.wav\n');
    const asked = await run('person', 'show', 'unknown', '--json');
    expect(JSON.parse(asked.out)).toMatchObject({ code: 'NOT_FOUND' });
    expect((await run('verfy', 'emil')).err).toContain('Did you mean verify?');
    expect((await run('verify', 'emil', 'x', '--serve')).err).toContain('Did you mean --server?');
  });

  it('complete in the shell', async () => {
    const script = join(folder, 'completion.bash');
    writeFileSync(script, (await run('completion', 'bash')).out);
    const complete = (...words: string[]): string[] =>
      execFileSync(
        'bash',
        [
          '-c',
          'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _voxgate; echo "${COMPREPLY[@]}"',
          script,
          ...words,
        ],
        { encoding: 'utf8' },
      )
        .trim()
        .split(' ');
    expect(complete('voxgate', 'ver')).toContain('verify');
    expect(complete('voxgate', 'watchlist', 'ad')).toContain('add');
    expect(complete('voxgate', 'verify', 'anna', 'a.wav', '--wh')).toContain('--whole');
    for (const [shell, path] of [
      ['zsh', '/usr/bin/zsh'],
      ['fish', '/usr/bin/fish'],
    ] as const) {
      const { out } = await run('completion', shell);
      expect(out).toContain('watchlist');
      const file = join(folder, `completion.${shell}`);
      writeFileSync(file, out);
      if (existsSync(path)) execFileSync(path, ['-n', file]);
    }
    expect((await run('completion', 'tcsh')).err).toContain('Allowed choices are bash, zsh, fish');
  });

  it('person: says what an erasure would delete and keep, and erases', async () => {
    const [first = ''] = files('emil', 1);
    await run('enroll', 'hanna', first);
    const { out } = await run('person', 'delete', 'hanna', '--erase', '--dry-run');
    expect(out.split('\n').slice(0, 2)).toEqual([
      'would erase hanna, with voiceprints, sessions and 1 recording; nothing was changed',
      'nothing would be kept as evidence of fraud or on legal hold',
    ]);
    expect((await run('person', 'list', '--query', 'hanna')).out).toContain('hanna');
    expect((await run('person', 'delete', 'hanna', '--erase')).out).toContain('erased hanna\n');
    expect((await run('person', 'list', '--query', 'hanna')).out).toBe('no people\n');
  });

  it('person: an erasure says the same as before it of recordings that are also of somebody else', async () => {
    const [first = '', second = ''] = files('emil', 1, 2);
    await run('enroll', 'ida', first, second);
    const { voxgate } = kit();
    const { context } = voxgate;
    const { profiles = [] } = await voxgate.call('ListVoiceprintProfiles', {
      ...{ context, gkOwnerId: await voxgate.names.person('ida'), withRecordings: true },
    });
    const shared = profiles[0]?.recordings?.[0]?.gkProcessedAudioId;
    await run('enroll', 'jan', second);
    const gkVoiceprintProfileId = await voxgate.names.print({ personId: 'jan' });
    await voxgate.inSession((session) =>
      voxgate.call('Enroll', {
        context: session.context,
        gkVoiceprintProfileId,
        gkProcessedAudioId: shared,
      }),
    );
    const { out } = await run('person', 'delete', 'ida', '--erase', '--dry-run');
    expect(out).toContain('and 1 recording; nothing was changed');
    expect(out).toContain('would be kept for somebody else, or the voiceprint of a fraudster: 1 recording\n');
    const erased = await run('person', 'delete', 'ida', '--erase');
    expect(erased.out).toContain('erased ida\n');
    expect(erased.out).toContain('\nkept for somebody else, or the voiceprint of a fraudster: 1 recording\n');
    expect(await json('person', 'delete', 'jan', '--erase')).toMatchObject({ kept: { forOthers: 0 } });
  });

  it('person: erases what is left of somebody who was deleted, by the unique ID', async () => {
    await run('enroll', 'kim', ...files('emil', 1));
    const { value: gkPersonId } = await kit().voxgate.names.person('kim');
    const deleted = await run('person', 'delete', 'kim');
    expect(deleted.out.split('\n')).toEqual([
      'deleted kim',
      `recordings stay until their retention period is over; to erase them now: voxgate person delete ${gkPersonId} --erase`,
      '',
    ]);
    expect(await run('person', 'delete', 'kim', '--erase')).toMatchObject({ code: 1, out: '' });
    expect(await run('person', 'delete', gkPersonId)).toMatchObject({ code: 1, out: '' });
    expect((await run('person', 'delete', gkPersonId, '--erase', '--dry-run')).out).toContain(
      'sessions and 1 recording; nothing was changed',
    );
    expect((await run('person', 'delete', gkPersonId, '--erase')).out).toContain(`erased ${gkPersonId}\n`);
    const { recordingCount = 0 } = await kit().voxgate.call('GetErasure', {
      ...{ context: kit().voxgate.context, gkPersonId: { value: gkPersonId } },
    });
    expect(recordingCount).toBe(0);
    expect((await run('person', 'delete', 'no such person', '--erase')).err).toContain('no such person');
  });
}
