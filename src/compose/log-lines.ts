// Where the lines of the log go: gathered into larger writes, one write under way at a time, never waited for. A
// reader that does not read, a full disk or a closed pipe cost lines, which are counted, and nothing else.
import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { Socket } from 'node:net';

interface LogLines {
  write(line: string): void;
  /** Waits until all is written, but not for ever. */
  flush(): Promise<void>;
  /** The end: what nobody has read by then must not keep the process alive. */
  abandon(): void;
  /** Lines that could not be written since the start. */
  dropped(): number;
}

/** Text that is worth a write of its own. */
const GATHERED_MAX = 65_536;
const GATHERING_MS = 100;
/** Text that may wait for a slow reader; what comes beyond is dropped. */
const WAITING_MAX = 4 * 1024 * 1024;
const FLUSH_TIMEOUT_MS = 500;

interface LineSink {
  /** Hands one text to the system; calls back when it is taken, or with why not. */
  send(text: Buffer, done: (error: Error | null | undefined) => void): void;
  abandon(): void;
}

export function logLines(fd: number): LogLines {
  const sink = sinkFor(fd);
  let gathered = '';
  let gatheredLines = 0;
  let underWay = 0;
  let dropped = 0;
  /** Not yet reported in the log. */
  let unreported = 0;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const whenIdle: (() => void)[] = [];

  const drop = (lines: number): void => {
    dropped += lines;
    unreported += lines;
  };
  const passOn = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (underWay > 0) return;
    if (gathered === '') {
      for (const tell of whenIdle.splice(0)) tell();
      return;
    }
    const text = unreported === 0 ? gathered : gathered + droppedLine(unreported);
    const reported = unreported;
    unreported = 0;
    underWay = gatheredLines;
    gathered = '';
    gatheredLines = 0;
    sink.send(Buffer.from(text), (error) => {
      const lines = underWay;
      underWay = 0;
      if (error) {
        drop(lines);
        unreported += reported;
      }
      // What came meanwhile is gathered like the rest: a write for every few lines cost a short call a tenth of its time.
      if (gathered.length >= GATHERED_MAX || whenIdle.length > 0) passOn();
      else if (gathered !== '') later();
    });
  };
  const later = (): void => void (timer ??= setTimeout(passOn, GATHERING_MS).unref());

  process.once('exit', () => {
    if (isOver || underWay > 0 || gathered === '') return;
    try {
      writeSync(fd, gathered);
    } catch {
      // Nobody is left to tell.
    }
  });

  return {
    write(line) {
      if (gathered.length + line.length > WAITING_MAX) return drop(1);
      gathered += line;
      gatheredLines += 1;
      if (gathered.length >= GATHERED_MAX && underWay === 0) passOn();
      // The last lines before a quiet time must not wait for the next call.
      else later();
    },
    flush: () =>
      new Promise((resolve) => {
        const limit = setTimeout(resolve, FLUSH_TIMEOUT_MS);
        whenIdle.push(() => {
          clearTimeout(limit);
          resolve();
        });
        passOn();
      }),
    abandon() {
      isOver = true;
      sink.abandon();
    },
    dropped: () => dropped,
  };
}

function droppedLine(lines: number): string {
  const time = new Date().toISOString();
  return `{"level":"warn","time":"${time}","dropped":${lines},"msg":"log lines were dropped"}\n`;
}

function sinkFor(fd: number): LineSink {
  const stat = fstatSync(fd);
  if (!stat.isFIFO() && !stat.isSocket())
    return { send: (text, done) => writeWhole(fd, text, 0, done), abandon: () => {} };
  // Through a stream, which waits for room without a thread; a plain write would hold one until somebody reads.
  const own = stat.isFIFO() ? ownPipe(fd) : undefined;
  const stream =
    own === undefined && fd === 2
      ? process.stderr
      : new Socket({ fd: own ?? fd, readable: false, writable: true });
  let broken: Error | undefined;
  stream.on('error', (error: Error) => (broken = error));
  if (stream instanceof Socket) stream.unref();
  return {
    send(text, done) {
      if (broken) process.nextTick(done, broken);
      else stream.write(text, done);
    },
    abandon: () => void (stream.writableLength > 0 && destroyStream(stream)),
  };
}

/**
 * A socket at standard error (of journald, of a parent that is a Node program) cannot be opened anew, and the stream that Node has for it
 * does not close when it is destroyed: its last write would keep the process alive.
 */
function destroyStream(stream: typeof process.stderr | Socket): void {
  if (stream instanceof Socket && stream === process.stderr)
    Socket.prototype._destroy.call(stream, null, () => undefined);
  else stream.destroy();
}

/**
 * The same pipe, opened anew: whether a write blocks is shared by all who have inherited the pipe, and starting a program
 * that inherits it makes it block. Undefined where the system cannot do that.
 */
function ownPipe(fd: number): number | undefined {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

function writeWhole(fd: number, text: Buffer, at: number, done: (error: Error | null) => void): void {
  write(fd, text, at, text.length - at, null, (error, written) => {
    if (error) done(error);
    else if (at + written < text.length) writeWhole(fd, text, at + written, done);
    else done(null);
  });
}
