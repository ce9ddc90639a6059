// A look inside one recording: waveform with its speech and findings, spectrogram, measured quality, and a
// player whose position is shown in the picture. The audio is a recording just made, or one that the server
// stores.
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { AudioDetailsJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import type { Take } from '../../audio/take.js';
import { durationSeconds, finite } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Icon } from '../../kit/icons.js';
import { Facts } from '../../kit/layout.js';
import { ErrorNotice } from '../../kit/notice.js';
import { Spectrogram } from '../../plots/spectrogram.js';
import { Waveform, envelopeOf } from '../../plots/waveform.js';
import { useInSession, useReadContext } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/voice.js';
import type { Span } from '../biosec/attack-spans.js';
import { inspect } from './lab-api.js';
import './voice.css';

const text = t.recording;

type Inspection = NonNullable<AnswerOf<'InspectAudio'>>;

export function RecordingView({
  name,
  take,
  media,
  channel,
  details,
  spans = [],
}: {
  name: string;
  /** The audio itself, if it was just made. */
  take?: Take | undefined;
  /** The server's identifier, once it has the recording. */
  media: string | undefined;
  channel?: number | undefined;
  details?: AudioDetailsJson | undefined;
  spans?: readonly Span[] | undefined;
}): ReactNode {
  const read = useReadContext();
  const player = useRef<HTMLAudioElement>(null);
  const may = useMay();
  const inspection = useQuery(
    media && read && may('InspectAudio') ? `inspect ${media} ${String(channel ?? '')}` : undefined,
    (signal) => (read && media ? inspect(read, media, channel, signal) : Promise.resolve(undefined)),
  );
  const seen = inspection.data;
  const local = useMemo(() => (take?.samples ? envelopeOf(take.samples) : undefined), [take]);
  const envelope = useMemo(() => envelopeIn(seen) ?? local, [seen, local]);
  const seconds = seen?.mediaLength ? durationSeconds(seen.mediaLength) : (take?.seconds ?? 0);
  const speech = useMemo(
    () =>
      seen?.speechSegments?.map(({ start, end }) => ({
        start: durationSeconds(start),
        end: durationSeconds(end),
      })),
    [seen],
  );
  const picture = seen?.spectrogram;
  return (
    <figure className="recording" aria-label={text.label(name)}>
      <div className="recording-stage">
        {envelope ? <Waveform envelope={envelope} seconds={seconds} speech={speech} /> : null}
        {picture?.values ? <Spectrogram data={picture} seconds={seconds} /> : null}
        <Spans spans={spans} seconds={seconds} />
        <Cursor player={player} seconds={seconds} />
      </div>
      {spans.length > 0 && seconds > 0 ? (
        <p className="small recording-legend">
          {spans.map(({ startSeconds, label, isOpen }) => (
            <span key={`${String(startSeconds)} ${label}`} data-open={isOpen || undefined}>
              {label}
            </span>
          ))}
        </p>
      ) : null}
      {take ? (
        <LocalPlayer take={take} player={player} />
      ) : media ? (
        <StoredPlayer name={name} media={media} player={player} />
      ) : null}
      <QualityFacts details={details ?? seen?.audioDetails} seconds={seconds} />
    </figure>
  );
}

function envelopeIn(seen: Inspection | undefined): { minimum: number[]; maximum: number[] } | undefined {
  const { minimum = [], maximum = [] } = seen?.envelope ?? {};
  if (maximum.length === 0) return undefined;
  const plain = (values: readonly (number | string)[]): number[] => values.map((value) => finite(value) ?? 0);
  return { minimum: plain(minimum), maximum: plain(maximum) };
}

function Spans({ spans, seconds }: { spans: readonly Span[]; seconds: number }): ReactNode {
  if (seconds <= 0) return null;
  return spans.map(({ startSeconds, endSeconds, label, isOpen }) => (
    <span
      key={`${String(startSeconds)} ${label}`}
      className="recording-span"
      data-open={isOpen || undefined}
      title={label}
      style={{
        left: `${String((startSeconds / seconds) * 100)}%`,
        width: `${String(((endSeconds - startSeconds) / seconds) * 100)}%`,
      }}
    />
  ));
}

/** The position of the player; a click on the picture moves it. */
function Cursor({
  player,
  seconds,
}: {
  player: { readonly current: HTMLAudioElement | null };
  seconds: number;
}): ReactNode {
  const [at, setAt] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const figure = place.current?.closest('figure');
    let frame = 0;
    // Updated every frame only while it plays: an open page must not keep the machine busy.
    const follow = (): void => {
      const element = player.current;
      if (!element) return;
      setAt(element.currentTime);
      if (!element.paused) frame = requestAnimationFrame(follow);
    };
    const begin = (): void => {
      cancelAnimationFrame(frame);
      follow();
    };
    // The player may be added later, and its events do not bubble: they are caught in the capture phase.
    const events = ['play', 'seeked', 'pause'];
    for (const name of events) figure?.addEventListener(name, begin, true);
    return () => {
      cancelAnimationFrame(frame);
      for (const name of events) figure?.removeEventListener(name, begin, true);
    };
  }, [player]);
  return (
    <div
      className="recording-cursor"
      aria-hidden="true"
      ref={place}
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const to = ((event.clientX - box.left) / box.width) * seconds;
        if (player.current) player.current.currentTime = to;
        setAt(to);
      }}
    >
      {at > 0 && seconds > 0 ? (
        <span style={{ left: `${String(Math.min(100, (at / seconds) * 100))}%` }} />
      ) : null}
    </div>
  );
}

interface PlayerProps {
  player: { current: HTMLAudioElement | null };
}

function LocalPlayer({ take, player }: PlayerProps & { take: Take }): ReactNode {
  const [url, setUrl] = useState<string | undefined>();
  useEffect(() => {
    const made = URL.createObjectURL(
      new Blob([take.bytes], { type: take.container === 'CONTAINER_MP3' ? 'audio/mpeg' : 'audio/wav' }),
    );
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [take]);
  if (!url) return null;
  return <audio ref={player} controls preload="metadata" src={url} aria-label={text.play(take.name)} />;
}

/** Fetched only when the user wants to hear it: a voice should not leave the server without a reason. */
export function StoredPlayer({
  name,
  media,
  player,
}: PlayerProps & { name: string; media: string }): ReactNode {
  const inSession = useInSession();
  const may = useMay();
  const [source, setSource] = useState<string | undefined>();
  const play = useAction(async () => {
    const { mediaDownloadUrl } = await inSession((context) =>
      call('GetDownloadUrl', {
        context,
        gkMediaSegmentId: { value: media },
        container: 'CONTAINER_WAV',
        format: { pcm: { sampleRateHz: 16_000 }, numberOfChannels: 1 },
      }),
    );
    const address = new URL(mediaDownloadUrl ?? '');
    setSource(address.pathname + address.search);
  });
  if (!may('GetDownloadUrl')) return <p className="small soft">{text.mayNotListen}</p>;
  if (source) return <audio ref={player} controls autoPlay src={source} aria-label={text.play(name)} />;
  return (
    <div className="row">
      <Button size="small" busy={play.busy} aria-label={text.play(name)} onClick={() => void play.run()}>
        <Icon name="play" size={14} /> {text.playShort}
      </Button>
      {play.error ? <ErrorNotice error={play.error} /> : null}
    </div>
  );
}

function QualityFacts({
  details,
  seconds,
}: {
  details: AudioDetailsJson | undefined;
  seconds: number;
}): ReactNode {
  if (!details) return null;
  return <Facts items={qualityItems(details, seconds)} />;
}

/** If a recording is longer than the part that was heard by more than this, it was not heard to its end. */
const UNHEARD_SECONDS = 0.5;

/** Below this the meter only measures its own floor. */
const SILENT_DB = -90;

function qualityItems(details: AudioDetailsJson, seconds = 0): [string, string][] {
  const items: [string, string][] = [];
  const net = durationSeconds(details.netAudio);
  const gross = durationSeconds(details.grossAudio);
  if (details.netAudio !== undefined)
    items.push([
      text.speech,
      net === 0
        ? text.noSpeech(gross)
        : seconds - gross > UNHEARD_SECONDS
          ? text.speechInFirst(net, gross)
          : text.speechOf(net, gross),
    ]);
  const snr = finite(details.snrDb);
  // Without speech there is no level or noise to report.
  if (snr !== undefined && net > 0)
    items.push([text.snr, text.snrValue(snr, snr >= 20 ? text.clear : snr >= 10 ? text.fair : text.poor)]);
  const level = finite(details.speechLevel);
  if (level !== undefined && net > 0 && level > SILENT_DB) items.push([text.level, text.db(level)]);
  if (details.mediaSamplingRateHz !== undefined)
    items.push([text.sampledAt, text.khz(details.mediaSamplingRateHz / 1000)]);
  return items;
}

/** One line for a list of recordings. */
export function qualityLine(details: AudioDetailsJson | undefined): string {
  return details
    ? qualityItems(details)
        .slice(0, 2)
        .map(([, value]) => value)
        .join(', ')
    : '';
}
