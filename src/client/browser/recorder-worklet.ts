// The file that a page loads onto the audio thread.
import { defineRecorder, RECORDER_NAME } from './recorder.js';

defineRecorder(RECORDER_NAME);
