// The input for audio: one big button that records until enough speech was heard, or dropped files.
import { useId, useRef, type ReactNode } from 'react';
import { levelShare } from '../../audio/speech-meter.js';
import type { Take } from '../../audio/take.js';
import { useRecorder, type Recorder } from '../../audio/use-recorder.js';
import { Button } from '../../kit/button.js';
import { useFileDrop } from '../../kit/file-drop.js';
import { fill } from '../../kit/fill.js';
import { Icon } from '../../kit/icons.js';
import { ErrorNotice, Notice } from '../../kit/notice.js';
import { t } from '../../text/voice.js';
import { useFiles, type ChannelQuestion } from './use-files.js';
import './voice.css';

const text = t.capture;

interface CaptureBoxProps {
  /** Label of the button, such as "Record sample 1". */
  action: string;
  /** Recording ends by itself after this much speech. */
  targetSeconds: number;
  /** A text to read aloud. */
  prompt?: string;
  busy: boolean;
  busyLabel?: string;
  /** New audio is coming: results of the previous one on the page are outdated. */
  onBegin?: () => void;
  /** Settles when the next file may come. */
  onTake: (take: Take) => Promise<unknown>;
}

export function CaptureBox({
  action,
  targetSeconds,
  prompt,
  busy,
  busyLabel = text.listening,
  onBegin = () => undefined,
  onTake,
}: CaptureBoxProps): ReactNode {
  const recorder = useRecorder({ targetSeconds, onTake });
  const files = useFiles({ onBegin, onTake });
  const promptId = useId();
  const recording = recorder.phase === 'recording';
  const waiting = busy || recorder.phase === 'opening' || recorder.phase === 'closing';
  // Files queue behind other files, but are refused while somebody speaks or a recording is processed.
  const isTaking = recording || (waiting && files.left === 0);
  const give = (given: readonly File[]): void => {
    if (isTaking) files.tell(text.notTaken(given.map(({ name }) => name).join(', ')));
    else files.give(given);
  };
  const drop = useFileDrop(give);
  const press = (): void => {
    // Not disabled, which would remove the focus; pressing it just does nothing.
    if (waiting) return;
    if (recording) return void recorder.stop();
    onBegin();
    void recorder.start();
  };
  return (
    <div className="capture" data-recording={recording || undefined} {...drop}>
      {prompt ? (
        <p className="capture-prompt" id={promptId}>
          <span className="small soft">{text.readAloud}</span>
          <q>{prompt}</q>
        </p>
      ) : null}
      <div className="capture-row">
        <button
          type="button"
          className="capture-button"
          aria-disabled={waiting || undefined}
          aria-describedby={prompt ? promptId : undefined}
          onClick={press}
        >
          <span className="capture-disc" aria-hidden="true">
            {waiting ? <span className="spinner" /> : <Icon name={recording ? 'stop' : 'mic'} size={26} />}
          </span>
          <span>{recording ? text.stop : action}</span>
        </button>
        <Meters
          recorder={recorder}
          target={targetSeconds}
          waiting={waiting}
          note={[busyLabel, ...(files.left > 1 ? [text.left(files.left)] : [])].join(', ')}
        />
      </div>
      <FileChoice disabled={isTaking} onFiles={give} />
      {files.question ? <ChannelChoice question={files.question} /> : null}
      {recorder.error ? <ErrorNotice error={recorder.error} /> : null}
      {files.problems.map((problem) => (
        <Notice key={problem} tone="bad">
          {problem}
        </Notice>
      ))}
    </div>
  );
}

function Meters({
  recorder: { phase, reading, isSilent },
  target,
  waiting,
  note,
}: {
  recorder: Recorder;
  target: number;
  waiting: boolean;
  /** What is happening while the user waits. */
  note: string;
}): ReactNode {
  const recording = phase === 'recording';
  const heard = recording || waiting ? Math.min(reading?.speechSeconds ?? 0, target) : 0;
  return (
    <div className="capture-meters">
      <Level
        db={recording ? (reading?.levelDb ?? -100) : -100}
        clipped={recording && (reading?.clipped ?? false)}
      />
      <div
        className="capture-progress"
        role="progressbar"
        aria-label={text.progress}
        aria-valuemin={0}
        aria-valuemax={target}
        aria-valuenow={Math.round(heard * 10) / 10}
        aria-valuetext={text.progressValue(heard, target)}
      >
        <span style={{ width: `${String((heard / target) * 100)}%` }} />
      </div>
      <p className="small soft">
        {waiting
          ? `${phase === 'opening' ? text.opening : note} …`
          : recording
            ? text.heard(heard, target)
            : text.enough(target)}
      </p>
      <p className="small capture-silent" role="status">
        {isSilent ? text.silent : ''}
      </p>
    </div>
  );
}

function FileChoice({
  disabled,
  onFiles,
}: {
  disabled: boolean;
  onFiles: (files: readonly File[]) => void;
}): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <p className="small capture-file soft">
      {fill(text.orDrop, {
        choose: (
          <button
            type="button"
            className="link-button"
            disabled={disabled}
            onClick={() => input.current?.click()}
          >
            {text.choose}
          </button>
        ),
      })}
      <input
        ref={input}
        type="file"
        multiple
        accept="audio/*,.wav,.mp3,.flac,.ogg,.opus,.webm"
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </p>
  );
}

/** Calls are often recorded with the caller on one channel and the agent on the other. */
function ChannelChoice({ question: { name, channels, answer } }: { question: ChannelQuestion }): ReactNode {
  const sides = [text.left1, text.right1];
  return (
    <fieldset className="capture-channels">
      <legend>{text.channels(name, channels)}</legend>
      <div className="row">
        {Array.from({ length: channels }, (_unused, index) => (
          <Button key={index} size="small" autoFocus={index === 0} onClick={() => answer(index + 1)}>
            {(channels === 2 ? sides[index] : undefined) ?? text.channel(index + 1)}
          </Button>
        ))}
        <Button size="small" kind="quiet" onClick={() => answer(undefined)}>
          {text.mixed}
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
