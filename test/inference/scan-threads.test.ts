// Scans on threads of their own find what a scan in place finds, to the last bit; and when they fail, that is done instead.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Gallery } from '../../src/biometrics/galleries/gallery.js';
import { ScanThreads } from '../../src/inference/scan/scan-threads.js';
import { silentLog, systemClock } from '../../src/platform.js';
import type { Scanner } from '../../src/voice/search/block-scan.js';
import { model, names, print, sample } from '../biometrics/galleries/prints.js';

/** Several blocks for each of several threads, and a last one that is not full. */
const PRINTS = 20_001;
const LOCKED = 17;

let threads: ScanThreads;
/** Asked however small a gallery is. */
let scanner: Scanner & { scans: number };
let here: Gallery;
let there: Gallery;
const voices = names(60).map((name) => print(name));

function filled(scanner?: Scanner, prints = PRINTS): Gallery {
  const gallery = new Gallery(model, scanner);
  for (let index = 0; index < prints; index++) {
    const voice = voices[index % voices.length] as (typeof voices)[number];
    gallery.put({
      ...voice,
      gkVoiceprintProfileId: `print-${index}`,
      gkOwnerId: `owner-${index}`,
      ownerType: 'PERSON',
      tag: index % 3 === 0 ? 'phone' : 'main',
      lock: { ...voice.lock, locked: index < LOCKED },
    });
  }
  return gallery;
}

beforeAll(() => {
  threads = new ScanThreads({ log: silentLog, clock: systemClock });
  scanner = {
    rowsMin: 1,
    scans: 0,
    scan(job) {
      this.scans += 1;
      return threads.scan(job);
    },
  };
  here = filled();
  there = filled(scanner);
});
afterAll(() => threads.close());

describe('a gallery that is scanned by other threads', () => {
  it.each([
    ['all prints', undefined],
    ['those of a tag', 'phone'],
    ['none: nobody has the tag', 'unheard of'],
  ])('finds what it would find by itself: %s', async (_name, tag) => {
    const view = here.at(0, tag);
    // More than are asked at a time.
    const asked = { model, samples: Array.from({ length: 11 }, () => sample()), limit: 100 };
    const before = scanner.scans;
    const found = await there.at(0, tag).nearest(asked);
    expect(found).toEqual(await view.nearest(asked));
    expect(found.map((each) => each.length)).toEqual(asked.samples.map(() => Math.min(100, view.scorable)));
    expect(scanner.scans).toBe(before + 1);
  });

  it.each([
    ['the second', 1],
    ['one of the later parts', 8],
    ['the last', 10],
  ])('answers no further than to the one that is sure: %s', async (_which, sure) => {
    const { embedding } = voices[LOCKED]?.trained?.template ?? {};
    const samples = Array.from({ length: 11 }, (_, index) => sample(index === sure ? embedding : undefined));
    const asked = { model, samples, limit: 100 };
    const all = await here.at(0, undefined).nearest(asked);
    const [known = 0, other = 0] = all.map(([best]) => best?.llr ?? 0).sort((a, b) => b - a);
    const found = await there.at(0, undefined).nearest({ ...asked, enoughLlr: (known + other) / 2 });
    expect(found).toEqual(all.slice(0, sure + 1));
  });

  it('answers several at the same time, and takes changes in between', async () => {
    const ask = async (heard = sample()) => {
      const [found = []] = await there.at(0, undefined).nearest({ model, samples: [heard], limit: 5 });
      return found;
    };
    const heard = sample();
    const [alone, ...others] = await Promise.all([ask(heard), ask(), ask(), ask(), ask(), ask(heard)]);
    expect(others.at(-1)).toEqual(alone);
    const first = alone[0]?.label.gkVoiceprintProfileId ?? '';
    const running = ask(heard);
    const changed = there.change(() => there.remove(first));
    expect((await running)[0]?.label.gkVoiceprintProfileId).toBe(first);
    await changed;
    expect((await ask(heard)).map(({ label }) => label.gkVoiceprintProfileId)).not.toContain(first);
  });

  it('follows prints that get another tag', async () => {
    const heard = sample();
    const withTag = async (gallery: Gallery) => {
      const [found = []] = await gallery.at(0, 'phone').nearest({ model, samples: [heard], limit: 5 });
      return found.map(({ label }) => label.gkVoiceprintProfileId);
    };
    const alone = filled(undefined, 5000);
    const other = filled(scanner, 5000);
    for (let round = 0; round < 3; round++) {
      const before = await withTag(other);
      expect(before).toEqual(await withTag(alone));
      // The same prints, of which one is no longer meant.
      const id = before[0] ?? '';
      const index = Number(id.split('-')[1]);
      const voice = voices[index % voices.length] as (typeof voices)[number];
      const moved = { ...voice, gkVoiceprintProfileId: id, gkOwnerId: `owner-${index}`, tag: 'main' };
      for (const gallery of [alone, other]) gallery.put({ ...moved, ownerType: 'PERSON' });
      expect(await withTag(other)).not.toContain(id);
    }
  });

  it('finds the same by itself when the threads are gone', async () => {
    const gone = new ScanThreads({ log: silentLog, clock: systemClock });
    await gone.close();
    const asked = { model, samples: [sample()], limit: 10 };
    const alone = filled({ rowsMin: 1, scan: (job) => gone.scan(job) }, 5000);
    expect(await alone.at(0, undefined).nearest(asked)).toEqual(
      await filled(undefined, 5000).at(0, undefined).nearest(asked),
    );
  });
});
