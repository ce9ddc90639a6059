// Loaded into the server under test: its clock is off by the milliseconds that a file says, and follows the file.
import { readFileSync } from 'node:fs';

const file = process.env['CHAOS_CLOCK_FILE'];
const RealDate = Date;
const realNow = RealDate.now.bind(RealDate);
let offsetMs = 0;

function read() {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offsetMs = 0;
  }
}

class ShiftedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(realNow() + offsetMs);
    else super(...args);
  }

  static now() {
    return realNow() + offsetMs;
  }
}

if (file) {
  read();
  setInterval(read, 200).unref();
  globalThis.Date = ShiftedDate;
}
