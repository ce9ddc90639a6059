// Manifests, as they come: CSV, JSON lines, and the documents of two services that ended.
import { describe, expect, it } from 'vitest';
import { toCsv } from '../../src/manifest/csv.js';
import { joinLines, ownersWhoRefuse } from '../../src/manifest/join-lines.js';
import { nameOf } from '../../src/manifest/lines.js';
import { readManifest } from '../../src/manifest/read-manifest.js';
import { writeManifest } from '../../src/manifest/write-manifest.js';

const read = (text: string, operation: 'ENROLL' | 'REGISTER' | 'CHECK' = 'ENROLL') =>
  readManifest(text, operation);
const faultsOf = async (text: string, operation?: 'ENROLL' | 'REGISTER' | 'CHECK') =>
  (await read(text, operation)).faults.map(({ message }) => message);

describe('a manifest', () => {
  it('may be CSV with quotes, several files and channels', async () => {
    const text =
      '\uFEFFspeaker_id,consent,files,channel\r\n"Doe, ""J""",yes,"a,b.wav|c.wav",2\r\nbob,no,d.wav,\r\n\r\n';
    expect(await read(text)).toEqual({
      faults: [],
      lines: [
        {
          line: 2,
          requestId: '',
          ownerId: 'Doe, "J"',
          consent: true,
          recordings: [
            { file: 'a,b.wav', channel: 2 },
            { file: 'c.wav', channel: 2 },
          ],
        },
        { line: 3, requestId: '', ownerId: 'bob', consent: false, recordings: [{ file: 'd.wav' }] },
      ],
    });
  });

  it('may be made of a table that was exported: identifiers are what they were', async () => {
    const ids = ['007', '+4915112345', '12345678901234567', "'007", "''1-2", "'n Jan", 'plain', '7'];
    const text = toCsv(
      ['speaker_id', 'file'],
      ids.map((id) => [id, 'a.wav']),
    );
    expect(text).toContain("\r\n'007,a.wav\r\n'+4915112345,");
    expect((await read(text)).lines.map(({ ownerId }) => ownerId)).toEqual(ids);
  });

  it('may be JSON lines', async () => {
    const text =
      '{"speaker_id":"ann","consent":true,"recordings":[{"media":"m1"},{"s3_uri":"s3://b/k.wav","channel":1}]}\n\n{"speaker_id":7,"file":"x.wav"}';
    expect((await read(text)).lines).toEqual([
      {
        line: 1,
        requestId: '',
        ownerId: 'ann',
        consent: true,
        recordings: [{ gkMediaSegmentId: 'm1' }, { s3Uri: 's3://b/k.wav', channel: 1 }],
      },
      { line: 3, requestId: '', ownerId: '7', recordings: [{ file: 'x.wav' }] },
    ]);
  });

  it('may be that of a speaker enrollment or fraudster registration of Voice ID', async () => {
    const audio = [{ S3Uri: 's3://calls/1.wav', ChannelId: 0 }];
    const speakers = {
      Version: '1.0',
      SpeakerEnrollmentRequests: [{ RequestId: 'r1', SpeakerId: 'ann', AudioSpecifications: audio }],
    };
    const recordings = [{ s3Uri: 's3://calls/1.wav', channel: 1 }];
    expect((await read(JSON.stringify(speakers, null, 2))).lines).toEqual([
      { line: 1, requestId: 'r1', ownerId: 'ann', recordings },
    ]);
    const fraudsters = {
      Version: '1.0',
      FraudsterRegistrationRequests: [{ RequestId: 'r1', AudioSpecifications: audio }],
    };
    expect((await read(JSON.stringify(fraudsters), 'REGISTER')).lines).toEqual([
      { line: 1, requestId: 'r1', ownerId: 'r1', recordings },
    ]);
  });

  it('may be the list of profiles of Azure, with a folder for each', async () => {
    const text = JSON.stringify({ profiles: [{ profileId: 'p-1', locale: 'en-us' }] });
    expect((await read(text)).lines).toEqual([
      { line: 1, requestId: '', ownerId: 'p-1', recordings: [{ folder: 'p-1' }] },
    ]);
  });

  it.each([
    ['CSV', 'speaker_id,file\nann,a.wav\nbob,b.wav', [2, 3]],
    ['CSV of Windows', 'speaker_id,file\r\nann,a.wav\r\nbob,b.wav\r\n', [2, 3]],
    ['CSV with empty lines', '\n\nspeaker_id,file\n\nann,a.wav\n,\nbob,b.wav\n', [5, 7]],
    ['CSV with a cell over lines', 'speaker_id,file,note\nann,a.wav,"1\n2\r\n3"\nbob,b.wav,', [2, 5]],
    ['JSON lines', '\n{"speaker_id":"ann","file":"a"}\n\n{"speaker_id":"bob","file":"b"}', [2, 4]],
    ['one JSON line', '\uFEFF\n\n{"speaker_id":"ann","file":"a"}', [3]],
    // Entries of a document have no lines: their places in the list.
    ['a document', '\n[{"speaker_id":"ann","file":"a"},\n\n{"speaker_id":"bob","file":"b"}]', [1, 2]],
  ])('of %s has its lines counted as an editor does, also when it is written again', async (_, text, at) => {
    const { lines, faults } = await read(text);
    expect(faults).toEqual([]);
    expect(lines.map(({ line }) => line)).toEqual(at);
    expect((await read(writeManifest(lines))).lines).toEqual(lines);
  });

  const amazonAudio = '"AudioSpecifications":[{"S3Uri":"s3://calls/1.wav"}]';
  it.each([
    '{"speaker_id":"ann","Consent":"no","file":"a.wav"}',
    '{"SPEAKER_ID":"ann"," CONSENT ":false,"Recordings":[{"File":"a.wav"}]}\n{"speaker_id":"bob","file":"b.wav"}',
    '[{"Speaker_Id":"ann","cONSENT":null,"File":"a.wav"}]',
    `{"SpeakerEnrollmentRequests":[{"SpeakerId":"ann","Consent":"no",${amazonAudio}}]}`,
    `{"speakerenrollmentrequests":[{"speakerId":"ann","consent":"no",${amazonAudio.toLowerCase()}}]}`,
    '{"Profiles":[{"ProfileId":"ann","Consent":"No"}]}',
  ])('says no however the key is written: %s', async (text) => {
    const { lines, faults } = await read(text);
    expect(faults).toEqual([]);
    expect(lines[0]).toMatchObject({ ownerId: 'ann', consent: false });
    // Whose recordings the command line does not upload.
    expect([...ownersWhoRefuse(lines)]).toEqual(['ann']);
    expect(lines[0]?.recordings).toEqual([
      expect.toSatisfy((place: object) => Object.keys(place).length === 1),
    ]);
  });

  const refusals: readonly (readonly [text: string, fault: string])[] = [
    ['', 'must begin with the names of its columns, such as speaker_id,consent,file'],
    [
      'speaker_id;consent;file\nann;yes;a.wav',
      'must begin with the names of its columns, separated by commas',
    ],
    ['speaker_id,file', 'has no lines'],
    ['speaker_id,file\nann,"x', 'has a quote that is not closed'],
    ['speaker_id,file\n,a.wav', 'line 2: speaker_id is mandatory'],
    ['speaker_id,file\nann,', 'line 2: names no recording'],
    ['speaker_id,file,channel\nann,a.wav,nine', 'line 2: channel must be from 1 to 8'],
    [
      `speaker_id,file\nann,a.wav${'\nann,b.wav'.repeat(1000)}`,
      'line 2: is about the same one as 1000 other lines, with more than 1000 recordings in total',
    ],
    ['speaker_id,consent,Consent,file\nann,no,yes,a.wav', 'has the column consent twice'],
    [
      '{"speaker_id":"ann","consent":false,"consent":true,"file":"a.wav"}',
      'has an object that states consent twice',
    ],
    [
      '{"speaker_id":"ann","consent":false,"consent":true,"file":"a.wav"}\n{"speaker_id":"bob","file":"b.wav"}',
      'has an object that states consent twice',
    ],
    [
      '{"speaker_id":"ann","Consent":false,"consent":true,"file":"a.wav"}',
      'line 1 has the key consent twice',
    ],
    [
      '{"speaker_id":"ann","Consent":"no","Consent":"yes","file":"a.wav"}',
      'has an object that states consent twice',
    ],
    [
      '{"speaker_id":"ann","file":"a.wav"}\n{"speaker_id":"bob","recordings":[{"file":"b.wav","File":"c.wav"}]}',
      'line 2 has the key file twice',
    ],
    ['{"profiles":[{"profileId":"p"}],"Profiles":[]}', 'has the key profiles twice'],
    [
      '{"FraudsterRegistrationRequests":[{"RequestId":"r1","AudioSpecifications":[{"S3Uri":"s3://calls/1.wav"}]}]}',
      'FraudsterRegistrationRequests is for registering fraudsters, which this batch does not do',
    ],
    [
      '{"SpeakerEnrollmentRequests":[{"RequestId":"r1","AudioSpecifications":[{"S3Uri":"s3://calls/1.wav"}]}]}',
      'line 1: speaker_id is mandatory',
    ],
    ['{"speaker_id":"ann"}\nno', 'line 2 is not a JSON object'],
    ['\n\n{"speaker_id":"ann"}\n\nno', 'line 5 is not a JSON object'],
    [
      '{"speaker_id":"ann","file":"a.wav"}\n\n{"speaker_id":"bob","file":"b.wav","File":"c.wav"}',
      'line 3 has the key file twice',
    ],
    ['[1]', 'must be a list of objects'],
    [
      '{"speaker_id":"ann","recordings":[{}]}',
      'line 1: has a recording without media, file, folder or s3_uri',
    ],
  ];
  it.each(refusals.map(([text, fault]) => ({ start: text.slice(0, 80), text, fault })))(
    '$start is refused: $fault',
    async ({ text, fault }) => {
      expect(await faultsOf(text)).toEqual([fault]);
    },
  );

  it('of speakers does not register fraudsters', async () => {
    const audio = [{ S3Uri: 's3://calls/1.wav' }];
    const text = JSON.stringify({
      SpeakerEnrollmentRequests: [{ RequestId: 'r1', CustomerSpeakerId: 'ann', AudioSpecifications: audio }],
    });
    expect(await faultsOf(text, 'REGISTER')).toEqual([
      'SpeakerEnrollmentRequests is for enrolling speakers, which this batch does not do',
    ]);
    expect((await read(text)).lines[0]?.ownerId).toBe('ann');
  });

  it('of customers does not register fraudsters', async () => {
    const text = 'speaker_id,consent,file\nann,yes,a.wav\nbob,no,b.wav';
    expect(await faultsOf(text, 'REGISTER')).toEqual([
      'line 2: mentions consent, so this is a list of customers; fraudsters are registered from a list without it',
    ]);
  });

  it('of JSON may list its files', async () => {
    const { lines, faults } = await read('{"speaker_id":"ann","files":["a.wav","b|c.wav"],"channel":2}');
    expect(faults).toEqual([]);
    expect(lines[0]?.recordings).toEqual([
      { file: 'a.wav', channel: 2 },
      { file: 'b|c.wav', channel: 2 },
    ]);
    expect(await faultsOf('{"speaker_id":"ann","files":["a.wav",{}]}')).toEqual([
      'line 1: has a recording without media, file, folder or s3_uri',
    ]);
  });

  it('may speak of consent in a name', async () => {
    const text = JSON.stringify({ speaker_id: 'ann "consent": b', consent: true, file: 'a.wav' });
    expect(await faultsOf(text)).toEqual([]);
  });

  it('of checks may leave the person out, and name them twice, with one recording each', async () => {
    expect(await faultsOf('speaker_id,file\nann,a.wav\nann,b.wav\n,c.wav', 'CHECK')).toEqual([]);
    expect(await faultsOf('speaker_id,files\nann,a.wav|b.wav', 'CHECK')).toEqual([
      'line 2: names more than 1 recordings',
    ]);
  });
});

describe('lines about one speaker', () => {
  const joined = async (...rows: string[]) => {
    const { lines, faults } = await read(['speaker_id,consent,file', ...rows].join('\n'));
    expect(faults).toEqual([]);
    return joinLines(lines);
  };

  it('are done with the first of them, which has the recordings of all', async () => {
    const [a, b, c] = [{ file: 'a.wav' }, { file: 'b.wav' }, { file: 'c.wav' }];
    expect(await joined('ann,yes,a.wav', 'bob,yes,b.wav', 'ann,yes,c.wav', 'ann,yes,a.wav')).toEqual([
      { line: 2, requestId: '', ownerId: 'ann', consent: true, recordings: [a, c, a], others: [4, 5] },
      { line: 3, requestId: '', ownerId: 'bob', consent: true, recordings: [b] },
      { line: 4, requestId: '', ownerId: 'ann', consent: true, recordings: [c], partOf: 2 },
      { line: 5, requestId: '', ownerId: 'ann', consent: true, recordings: [a], partOf: 2 },
    ]);
  });

  it('may write the name with an accent as one character or two', async () => {
    const lines = await joined('Zo\u00e9,yes,a.wav', 'Zoe\u0301,no,b.wav');
    expect(lines.map(({ consent, partOf }) => [consent, partOf])).toEqual([
      [false, undefined],
      [false, 2],
    ]);
  });

  it('mean no where one of them does', async () => {
    const lines = await joined('ann,yes,a.wav', 'bob,yes,b.wav', 'ann,no,c.wav');
    expect(lines.map(({ consent }) => consent)).toEqual([false, true, false]);
    expect([...ownersWhoRefuse(lines)]).toEqual(['ann']);
  });
});

it('is the same again when its lines are written and read', async () => {
  const places = [
    { media: 'm', file_name: 'calls/m.wav' },
    { file: 'a b.wav', file_name: 'only of what was uploaded' },
    { folder: 'c' },
    { s3_uri: 's3://d/e' },
    { upload: 'f' },
  ];
  const text = [
    JSON.stringify({ speaker_id: 'ann', request_id: '7', consent: false, recordings: places }),
    JSON.stringify({ speaker_id: 'bob', recordings: [{ file: 'x.wav', channel: 2 }] }),
  ].join('\n');
  const { lines, faults } = await read(text);
  expect(faults).toEqual([]);
  expect(lines[0]?.recordings.map((recording) => Object.keys(recording)[0])).toEqual([
    'gkMediaSegmentId',
    'file',
    'folder',
    's3Uri',
    'upload',
  ]);
  expect(lines[0]?.recordings.map(nameOf)).toEqual(['calls/m.wav', 'a b.wav', 'c', 's3://d/e', 'f']);
  expect(await read(writeManifest(lines))).toEqual({ lines, faults: [] });
});
