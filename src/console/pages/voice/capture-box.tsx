// Where sound comes in: one big button that records until enough speech was heard, or a dropped file.
import { useId, useRef, useState, type DragEvent, type ReactNode } from 'react';
import { asApiError, type ApiError } from '../../api/errors.js';
import { levelShare } from '../../audio/speech-meter.js';
import { takeFromFile, takeOfChannel, type Take } from '../../audio/take.js';
import { useRecorder } from '../../audio/use-recorder.js';
import { Button } from '../../kit/button.js';
import { Icon } from '../../kit/icons.js';
import { ErrorNotice } from '../../kit/notice.js';
import './voice.css';

export function CaptureBox({
  action,
  targetSeconds,
  prompt,
  busy,
  busyLabel = 'Listening to it',
  disabled = false,
  onTake,
}: {
  /** Label of the button, such as "Record take 1". */
  action: string;
  /** Recording ends by itself after so much speech. */
  targetSeconds: number;
  /** Something to read aloud. */
  prompt?: string;
  busy: boolean;
  busyLabel?: string;
  disabled?: boolean;
  onTake: (take: Take) => void;
}): ReactNode {
  const recorder = useRecorder({ targetSeconds, onTake });
  const [fileError, setFileError] = useState<ApiError | undefined>();
  const [over, setOver] = useState(false);
  /** A file of several channels, until somebody says which one to listen to. */
  const [stereo, setStereo] = useState<{ file: File; take: Take } | undefined>();
  const input = useRef<HTMLInputElement>(null);
  const promptId = useId();
  const recording = recorder.phase === 'recording';
  const waiting = busy || recorder.phase === 'opening' || recorder.phase === 'closing';
  const heard = recording || waiting ? Math.min(recorder.reading?.speechSeconds ?? 0, targetSeconds) : 0;
  const takeFile = async (file: File | undefined): Promise<void> => {
    if (!file || busy || disabled) return;
    setFileError(undefined);
    setStereo(undefined);
    try {
      const take = await takeFromFile(file);
      if (take.channels > 1) setStereo({ file, take });
      else onTake(take);
    } catch (thrown) {
      setFileError(asApiError(thrown));
    }
  };
  const takeChannel = async (channel: number | undefined): Promise<void> => {
    if (!stereo) return;
    setStereo(undefined);
    try {
      onTake(channel === undefined ? stereo.take : await takeOfChannel(stereo.file, channel));
    } catch (thrown) {
      setFileError(asApiError(thrown));
    }
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void takeFile(event.dataTransfer.files[0]);
  };
  const error = recorder.error ?? fileError;
  return (
    <div
      className="capture"
      data-over={over || undefined}
      data-recording={recording || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      {prompt ? (
        <p className="capture-prompt" id={promptId}>
          <span className="small soft">Read aloud, or say anything you like:</span>
          <q>{prompt}</q>
        </p>
      ) : null}
      <div className="capture-row">
        <button
          type="button"
          className="capture-button"
          disabled={waiting || disabled}
          aria-describedby={prompt ? promptId : undefined}
          onClick={() => void (recording ? recorder.stop() : recorder.start())}
        >
          <span className="capture-disc" aria-hidden="true">
            {waiting ? <span className="spinner" /> : <Icon name={recording ? 'stop' : 'mic'} size={26} />}
          </span>
          <span>{recording ? 'Stop' : action}</span>
        </button>
        <div className="capture-meters">
          <Level
            db={recording ? (recorder.reading?.levelDb ?? -100) : -100}
            clipped={recording && (recorder.reading?.clipped ?? false)}
          />
          <div
            className="capture-progress"
            role="progressbar"
            aria-label="Speech heard"
            aria-valuemin={0}
            aria-valuemax={targetSeconds}
            aria-valuenow={Math.round(heard * 10) / 10}
            aria-valuetext={`${heard.toFixed(1)} of ${String(targetSeconds)} seconds of speech`}
          >
            <span style={{ width: `${String((heard / targetSeconds) * 100)}%` }} />
          </div>
          <p className="small soft">
            {waiting
              ? recorder.phase === 'opening'
                ? 'Opening the microphone …'
                : `${busyLabel} …`
              : recording
                ? `${heard.toFixed(1)} of ${String(targetSeconds)} s of speech. It stops by itself.`
                : `About ${String(targetSeconds)} s of speech are enough. It stops by itself.`}
          </p>
        </div>
      </div>
      <p className="small capture-file">
        <span className="soft">or drop a sound file here, or </span>
        <button
          type="button"
          className="link-button"
          disabled={waiting || recording || disabled}
          onClick={() => input.current?.click()}
        >
          choose a file
        </button>
        <input
          ref={input}
          type="file"
          accept="audio/*,.wav,.mp3,.flac,.ogg,.opus,.webm"
          hidden
          onChange={(event) => {
            void takeFile(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </p>
      {stereo ? (
        <ChannelChoice name={stereo.take.name} channels={stereo.take.channels} onChoose={takeChannel} />
      ) : null}
      {error ? <ErrorNotice error={error} /> : null}
    </div>
  );
}

const sides = ['Left', 'Right'] as const;

/** Calls are often recorded with the caller on one side and the agent on the other. */
function ChannelChoice({
  name,
  channels,
  onChoose,
}: {
  name: string;
  channels: number;
  onChoose: (channel: number | undefined) => Promise<void>;
}): ReactNode {
  return (
    <fieldset className="capture-channels">
      <legend>
        {name} has {channels} channels. Which one holds the voice?
      </legend>
      <div className="row">
        {Array.from({ length: channels }, (_unused, index) => (
          <Button key={index} size="small" autoFocus={index === 0} onClick={() => void onChoose(index + 1)}>
            {channels === 2 ? (sides[index] ?? '') : `Channel ${String(index + 1)}`}
          </Button>
        ))}
        <Button size="small" kind="quiet" onClick={() => void onChoose(undefined)}>
          All of them mixed
        </Button>
      </div>
    </fieldset>
  );
}

function Level({ db, clipped }: { db: number; clipped: boolean }): ReactNode {
  const share = levelShare(db);
  return (
    <div className="level" aria-hidden="true" data-clipped={clipped || undefined}>
      {Array.from({ length: 32 }, (_unused, index) => (
        <i key={index} data-on={share > index / 32 || undefined} data-hot={index >= 28 || undefined} />
      ))}
    </div>
  );
}
