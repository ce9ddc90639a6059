// @voxgate/client/microphone: what pages import beside the client.
export { Microphone, MicrophoneError } from './microphone.js';
export type { MicrophoneFault, MicrophoneOptions } from './microphone.js';
