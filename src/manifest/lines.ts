// The lines of a manifest: whose recordings, where they are, and what is to become of them.

export type BatchOperation = 'ENROLL' | 'REGISTER' | 'CHECK';

/** One of these says where its bytes are. */
export interface Recording {
  /** Uploaded before. */
  gkMediaSegmentId?: string;
  /** What it was called where it was uploaded from; only with the ID that it has here. */
  fileName?: string;
  /** In the folder that the operator allows. */
  file?: string;
  /** All files of a folder inside it. */
  folder?: string;
  /** In a place of S3 that the operator allows, or in that folder, where a copy of the bucket lies under its name. With a slash at its end: all of it. */
  s3Uri?: string;
  /** With the caller, who will upload it. Only a dry run takes that. */
  upload?: string;
  /** From 1; all channels if absent. */
  channel?: number;
}

export interface BatchLine {
  /** As an editor counts the lines of the file: from 1, with a header and empty lines. */
  line: number;
  requestId: string;
  /** Person or fraudster; empty where a recording is analyzed. */
  ownerId: string;
  consent?: boolean;
  recordings: readonly Recording[];
  /** Later lines about the same owner, which end as this one does; their recordings are here too. */
  others?: readonly number[];
  /** The line that it is done with. */
  partOf?: number;
}

/** In one line. */
export const RECORDINGS_MAX = 10;

/** As people know it. */
export const nameOf = (recording: Recording): string => recording.fileName ?? whereOf(recording);

export const whereOf = ({ file, s3Uri, folder, gkMediaSegmentId, upload }: Recording): string =>
  file ?? s3Uri ?? folder ?? gkMediaSegmentId ?? upload ?? '';
