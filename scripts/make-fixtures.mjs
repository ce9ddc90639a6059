// Makes the test speech under test/fixtures again. Needs Debian's espeak-ng, flite and ffmpeg (with libopus, libvorbis,
// libmp3lame). The speech is synthetic: no recording of a person is in this repository. See test/fixtures/README.md.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';

readArguments(`
usage: node scripts/make-fixtures.mjs

Makes the synthetic speech of test/fixtures again. Needs espeak-ng, flite and ffmpeg.`);

const root = new URL('../test/fixtures/', import.meta.url).pathname;
const temp = mkdtempSync(join(tmpdir(), 'voxgate-fixtures-'));
const run = (command, args) => execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
const ffmpeg = (...args) => run('ffmpeg', ['-v', 'error', '-y', '-bitexact', ...args]);

const sentences = [
  'My voice opens the door of this old house every morning, and nobody else in the town can open it for me.',
  'The ferry leaves the northern harbour at half past seven in the morning, whether the weather over the sea is good or not.',
  'Please read the long number on the back of the blue card slowly, one figure after the other, and then wait.',
  'We walked along the river for an hour before we finally found the small wooden bridge near the old mill and the garden.',
  'On Thursday the shop around the corner sells fresh bread, apples, and a dozen kinds of cheese.',
];

// Six voices that differ in synthesizer, pitch and vocal tract.
const voices = {
  anna: (text, out) => run('flite', ['-voice', 'slt', '-t', text, '-o', out]),
  bruno: (text, out) => run('flite', ['-voice', 'rms', '-t', text, '-o', out]),
  carl: (text, out) => run('flite', ['-voice', 'awb', '-t', text, '-o', out]),
  dora: (text, out) => run('espeak-ng', ['-v', 'en-us+f2', '-p', '70', '-s', '165', '-w', out, text]),
  emil: (text, out) => run('espeak-ng', ['-v', 'en-gb+m3', '-p', '25', '-s', '160', '-w', out, text]),
  fritz: (text, out) => run('flite', ['-voice', 'kal16', '-t', text, '-o', out]),
};

for (const [voice, speak] of Object.entries(voices)) {
  const folder = join(root, 'voices', voice);
  mkdirSync(folder, { recursive: true });
  sentences.forEach((text, i) => {
    const wav = join(temp, 'speech.wav');
    speak(text, wav);
    ffmpeg(
      '-i',
      wav,
      '-ac',
      '1',
      '-ar',
      '16000',
      '-c:a',
      'libopus',
      '-b:a',
      '24k',
      '-application',
      'voip',
      join(folder, `${i + 1}.opus`),
    );
  });
}

// Answers to prompts, said in one go, as a telephone line carries them.
const answers = {
  'slt-7391': [voices.anna, 'seven, three, nine, one'],
  'rms-0528': [voices.bruno, 'zero five two eight'],
  'awb-6410': [voices.carl, 'six, four, one, zero'],
};
mkdirSync(join(root, 'words'), { recursive: true });
for (const [name, [speak, text]] of Object.entries(answers)) {
  const wav = join(temp, 'words.wav');
  speak(text, wav);
  ffmpeg('-i', wav, '-ac', '1', '-ar', '8000', '-c:a', 'pcm_mulaw', join(root, 'words', `${name}.wav`));
}
const spoken = join(root, 'words', 'slt-7391');
ffmpeg('-i', `${spoken}.wav`, '-c:a', 'libopus', '-b:a', '32k', `${spoken}.opus`);

const formats = join(root, 'formats');
mkdirSync(formats, { recursive: true });
const short = join(temp, 'short.wav');
voices.anna('The quick brown fox looks at the lazy dog.', join(temp, 'anna.wav'));
voices.bruno('Seven small boats sail to the island today.', join(temp, 'bruno.wav'));
ffmpeg('-i', join(temp, 'anna.wav'), '-t', '2', '-ar', '16000', '-ac', '1', short);
const stereo = join(temp, 'stereo.wav'); // left anna, right bruno
ffmpeg(
  '-i',
  join(temp, 'anna.wav'),
  '-i',
  join(temp, 'bruno.wav'),
  '-filter_complex',
  '[0:a]aresample=44100[l];[1:a]aresample=44100[r];[l][r]join=inputs=2:channel_layout=stereo',
  '-t',
  '1.5',
  stereo,
);
const make = (from, name, ...args) => ffmpeg('-i', from, ...args, join(formats, name));
make(short, 'pcm-u8-8k.wav', '-ar', '8000', '-c:a', 'pcm_u8');
make(short, 'pcm-s16-16k.wav', '-c:a', 'pcm_s16le');
make(short, 'pcm-s24-16k.wav', '-c:a', 'pcm_s24le');
make(short, 'pcm-s32-8k.wav', '-ar', '8000', '-c:a', 'pcm_s32le');
make(short, 'pcm-f32-8k.wav', '-ar', '8000', '-c:a', 'pcm_f32le');
make(short, 'pcm-f64-8k.wav', '-ar', '8000', '-c:a', 'pcm_f64le');
make(short, 'alaw-8k.wav', '-ar', '8000', '-c:a', 'pcm_alaw');
make(short, 'mulaw-8k.wav', '-ar', '8000', '-c:a', 'pcm_mulaw');
make(stereo, 'stereo-8k.wav', '-ar', '8000', '-c:a', 'pcm_s16le');
make(short, 's16-8k.raw', '-ar', '8000', '-f', 's16le');
make(short, 'alaw-8k.raw', '-ar', '8000', '-f', 'alaw');
make(short, 'mulaw-8k.raw', '-ar', '8000', '-f', 'mulaw');
make(short, 'mono-16k.flac', '-c:a', 'flac');
make(stereo, 'stereo-44k-24bit.flac', '-c:a', 'flac', '-sample_fmt', 's32');
make(short, 'mono-8k.ogg-flac.ogg', '-ar', '8000', '-c:a', 'flac', '-f', 'ogg');
make(short, 'mono-16k.mp3', '-c:a', 'libmp3lame', '-b:a', '32k');
make(short, 'mono-8k.mp3', '-ar', '8000', '-c:a', 'libmp3lame', '-b:a', '16k');
make(stereo, 'stereo-44k.mp3', '-c:a', 'libmp3lame', '-b:a', '64k', '-joint_stereo', '0');
make(short, 'mono-16k.opus', '-c:a', 'libopus', '-b:a', '24k');
make(stereo, 'stereo-48k.opus', '-ar', '48000', '-c:a', 'libopus', '-b:a', '64k');
make(short, 'mono-16k.ogg', '-c:a', 'libvorbis', '-q:a', '2');
make(stereo, 'stereo-44k.ogg', '-c:a', 'libvorbis', '-q:a', '2');
make(short, 'opus-mono.webm', '-c:a', 'libopus', '-b:a', '24k');
make(stereo, 'vorbis-stereo.webm', '-c:a', 'libvorbis', '-q:a', '2');

// ffmpeg writes the extensible header only for more than two channels or odd widths, so this one is put together here.
const pcm = readFileSync(join(formats, 's16-8k.raw'));
const head = Buffer.alloc(68);
head.write('RIFF', 0);
head.writeUInt32LE(60 + pcm.length, 4);
head.write('WAVEfmt ', 8);
head.writeUInt32LE(40, 16);
head.writeUInt16LE(0xfffe, 20);
head.writeUInt16LE(1, 22);
head.writeUInt32LE(8000, 24);
head.writeUInt32LE(16000, 28);
head.writeUInt16LE(2, 32);
head.writeUInt16LE(16, 34);
head.writeUInt16LE(22, 36);
head.writeUInt16LE(16, 38);
head.writeUInt32LE(4, 40);
Buffer.from('0100000000001000800000aa00389b71', 'hex').copy(head, 44);
head.write('data', 60);
head.writeUInt32LE(pcm.length, 64);
writeFileSync(join(formats, 'extensible-8k.wav'), Buffer.concat([head, pcm]));
rmSync(temp, { recursive: true });
