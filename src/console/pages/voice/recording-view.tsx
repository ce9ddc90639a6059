// One recording seen from inside: waveform with its speech, spectrogram, measured quality, and a player.
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useQuery } from '../../api/hooks.js';
import type { Take } from '../../audio/take.js';
import { durationSeconds } from '../../format/text.js';
import { Facts } from '../../kit/layout.js';
import { Spectrogram } from '../../plots/spectrogram.js';
import { Waveform, envelopeOf } from '../../plots/waveform.js';
import { useBiosecContext } from '../../tenant/tenant.js';
import type { AudioDetails } from '../biosec/types.js';
import { inspect } from './lab-api.js';
import './voice.css';

export function RecordingView({
  take,
  media,
  details,
}: {
  take: Take;
  media: string | undefined;
  details: AudioDetails | undefined;
}): ReactNode {
  const { read } = useBiosecContext();
  const inspection = useQuery(media && read ? `inspect ${media}` : undefined, (signal) =>
    read && media ? inspect(read, media, take.channel, signal) : Promise.resolve(undefined),
  );
  const seen = inspection.data;
  const local = useMemo(() => (take.samples ? envelopeOf(take.samples) : undefined), [take]);
  const envelope = useMemo(
    () =>
      seen?.envelope?.maximum?.length
        ? { minimum: seen.envelope.minimum ?? [], maximum: seen.envelope.maximum }
        : local,
    [seen, local],
  );
  const seconds = seen?.mediaLength ? durationSeconds(seen.mediaLength) : (take.seconds ?? 0);
  const speech = useMemo(
    () =>
      seen?.speechSegments?.map(({ start, end }) => ({
        start: durationSeconds(start),
        end: durationSeconds(end),
      })),
    [seen],
  );
  const picture = seen?.spectrogram;
  const spectrogram = useMemo(
    () =>
      picture?.values
        ? {
            columns: picture.columns ?? 0,
            rows: picture.rows ?? 0,
            values: picture.values,
            maxHz: picture.maxHz ?? 8000,
            mel: picture.mel ?? false,
          }
        : undefined,
    [picture],
  );
  return (
    <figure className="recording" aria-label={`Recording: ${take.name}`}>
      {envelope ? <Waveform envelope={envelope} seconds={seconds} speech={speech} /> : null}
      {spectrogram ? <Spectrogram data={spectrogram} seconds={seconds} /> : null}
      <Player take={take} />
      <QualityFacts details={details ?? seen?.audioDetails} />
    </figure>
  );
}

function Player({ take }: { take: Take }): ReactNode {
  const [url, setUrl] = useState<string | undefined>();
  useEffect(() => {
    const made = URL.createObjectURL(
      new Blob([take.bytes], { type: take.container === 'CONTAINER_MP3' ? 'audio/mpeg' : 'audio/wav' }),
    );
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [take]);
  return url ? <audio controls preload="metadata" src={url} aria-label={`Play ${take.name}`} /> : null;
}

export function QualityFacts({ details }: { details: AudioDetails | undefined }): ReactNode {
  if (!details) return null;
  return <Facts items={qualityItems(details)} />;
}

function qualityItems(details: AudioDetails): [string, string][] {
  const items: [string, string][] = [];
  if (details.netAudio !== undefined)
    items.push([
      'Speech',
      `${durationSeconds(details.netAudio).toFixed(1)} s of ${durationSeconds(details.grossAudio).toFixed(1)} s`,
    ]);
  if (details.snrDb !== undefined)
    items.push([
      'Above the noise',
      `${details.snrDb.toFixed(0)} dB, ${details.snrDb >= 20 ? 'clear' : details.snrDb >= 10 ? 'fair' : 'poor'}`,
    ]);
  if (details.speechLevel !== undefined) items.push(['Level', `${details.speechLevel.toFixed(0)} dB`]);
  if (details.mediaSamplingRateHz !== undefined)
    items.push(['Sampled at', `${(details.mediaSamplingRateHz / 1000).toFixed(0)} kHz`]);
  return items;
}

/** One line for a list of takes. */
export function qualityLine(details: AudioDetails | undefined): string {
  return details
    ? qualityItems(details)
        .slice(0, 2)
        .map(([, value]) => value)
        .join(', ')
    : '';
}
